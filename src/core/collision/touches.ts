/**
 * Numbers of a touch: its impulse along the normal [N s], the point [m], the normal, which points away from `b`, and the
 * whole impulse on `a`, with what is not along the normal [N s].
 */
export const TOUCH = { IMPULSE: 0, POINT: 1, NORMAL: 4, WHOLE: 7, SIZE: 10 } as const

/** How two were in a step: apart at its end, and before; touching at its end; or past each other by then. */
export const MEET = { APART: 0, TOUCH: 1, PASS: 2 } as const

/** Of a row, of what pushed [N s]: the sum along the normals, and that of the sizes. */
const SUM = { PUSHED: 0, SIZES: 3, SIZE: 4 } as const

/** Share of the sizes below which a sum has no direction to speak of: that of the strongest counts. */
const CANCELLED = 1e-3

/**
 * Who touched whom during a step: a row a pair, of two bodies or of a body and a collider, in the order in which they
 * first touched. Nothing is allocated once there is room.
 *
 * Contact code fills `touch` and calls `noteBodies` or `noteCollider`, once a pushing point and substep, or with
 * impulse 0 for what a sensor noticed; what else the two give each other, it adds. All that is summed with its direction, so
 * that what only squeezes, as a cloth about a ball, does not count; the normal is that of the pushes, the point that of the
 * strongest.
 */
export class Touches {
  /** Rows of the present step. */
  count = 0
  /** The touch to note, `TOUCH`. */
  readonly touch = new Float64Array(TOUCH.SIZE)
  /** By row: index of the body among the live ones. */
  a = new Uint32Array(0)
  /** By row: index of the other body among the live ones, or of the collider among the live colliders. */
  b = new Uint32Array(0)
  /** By row: 1 where `b` is a collider. */
  withCollider = new Uint8Array(0)
  /** By row: `MEET`; `APART` where an impulse was added to two that had touched before. */
  touching = new Uint8Array(0)
  /** By row: `TOUCH`, of all impulses together. */
  numbers = new Float64Array(0)
  /** By row: the strongest impulse [N s]. */
  private strongest = new Float64Array(0)
  /** By row: `SUM`. */
  private sums = new Float64Array(0)
  /** Row + 1 by hash of the pair; 0 is free. */
  private table = new Uint32Array(0)
  private last = -1

  /** A step begins: forgets all. */
  begin(): void {
    this.count = 0
    this.last = -1
    this.table.fill(0)
  }

  /** Notes `touch` between the live bodies `a` and `b`; its normal points from `b` to `a`. Either order will do. */
  noteBodies(a: number, b: number): void {
    if (a > b) this.turn()
    this.note(Math.min(a, b), Math.max(a, b), 0)
  }

  /** Notes `touch` between live body `a` and live collider `c`; its normal points out of the collider. */
  noteCollider(a: number, c: number): void {
    this.note(a, c, 1)
  }

  /** Notes `touch` between live body `a` and live collider `c`, which have parted by the end of the step. */
  notePassed(a: number, c: number): void {
    this.note(a, c, 1)
    this.touching[this.last] = MEET.PASS
  }

  /** Adds the whole impulse of `touch` to that of live body `a` and live collider `c`, whether or not they touch in this step. */
  addToCollider(a: number, c: number): void {
    this.add(this.rowOf(a, c, 1))
  }

  /** Adds the whole impulse of `touch`, on `a`, to that of live bodies `a` and `b`, whether or not they touch in this step. */
  addToBodies(a: number, b: number): void {
    if (a > b) this.turn()
    this.add(this.rowOf(Math.min(a, b), Math.max(a, b), 0))
  }

  private turn(): void {
    const { touch } = this
    for (let d = TOUCH.NORMAL; d < TOUCH.SIZE; d++) touch[d] = -touch[d]!
  }

  private note(a: number, b: number, withCollider: number): void {
    const row = this.rowOf(a, b, withCollider)
    this.touching[row] = MEET.TOUCH
    const { touch, numbers, sums } = this
    const at = row * TOUCH.SIZE
    const impulse = touch[TOUCH.IMPULSE]!
    if (impulse > this.strongest[row]!) {
      this.strongest[row] = impulse
      for (let k = TOUCH.POINT; k < TOUCH.WHOLE; k++) numbers[at + k] = touch[k]!
    }
    const s = row * SUM.SIZE
    let square = 0
    for (let d = 0; d < 3; d++) {
      const sum = sums[s + d]! + impulse * touch[TOUCH.NORMAL + d]!
      sums[s + d] = sum
      square += sum * sum
    }
    const size = Math.sqrt(square)
    sums[s + SUM.SIZES] = sums[s + SUM.SIZES]! + Math.abs(impulse)
    if (size > CANCELLED * sums[s + SUM.SIZES]!) {
      for (let d = 0; d < 3; d++) numbers[at + TOUCH.NORMAL + d] = sums[s + d]! / size
    }
    this.add(row)
  }

  private add(row: number): void {
    const { touch, numbers } = this
    const at = row * TOUCH.SIZE
    let along = 0
    for (let d = 0; d < 3; d++) {
      const sum = numbers[at + TOUCH.WHOLE + d]! + touch[TOUCH.WHOLE + d]!
      numbers[at + TOUCH.WHOLE + d] = sum
      along += sum * numbers[at + TOUCH.NORMAL + d]!
    }
    numbers[at] = along
  }

  private rowOf(a: number, b: number, withCollider: number): number {
    const { last } = this
    if (last >= 0 && this.a[last] === a && this.b[last] === b && this.withCollider[last] === withCollider) return last
    if (this.count * 2 >= this.table.length) this.grow()
    let at = this.hash(a, b, withCollider)
    while (this.table[at] !== 0) {
      const row = this.table[at]! - 1
      if (this.a[row] === a && this.b[row] === b && this.withCollider[row] === withCollider) {
        this.last = row
        return row
      }
      at = (at + 1) & (this.table.length - 1)
    }
    const row = this.count++
    this.table[at] = row + 1
    this.a[row] = a
    this.b[row] = b
    this.withCollider[row] = withCollider
    this.touching[row] = MEET.APART
    this.strongest[row] = -1
    this.numbers.fill(0, row * TOUCH.SIZE, (row + 1) * TOUCH.SIZE)
    this.sums.fill(0, row * SUM.SIZE, (row + 1) * SUM.SIZE)
    this.last = row
    return row
  }

  private hash(a: number, b: number, withCollider: number): number {
    return (Math.imul(a, 0x9e3779b1) ^ Math.imul(b * 2 + withCollider, 0x85ebca6b)) & (this.table.length - 1)
  }

  private grow(): void {
    const rows = Math.max(64, this.a.length * 2)
    const { a, b, withCollider, touching, numbers, strongest, sums } = this
    this.a = new Uint32Array(rows)
    this.b = new Uint32Array(rows)
    this.withCollider = new Uint8Array(rows)
    this.touching = new Uint8Array(rows)
    this.numbers = new Float64Array(rows * TOUCH.SIZE)
    this.strongest = new Float64Array(rows)
    this.sums = new Float64Array(rows * SUM.SIZE)
    this.a.set(a)
    this.b.set(b)
    this.withCollider.set(withCollider)
    this.touching.set(touching)
    this.numbers.set(numbers)
    this.strongest.set(strongest)
    this.sums.set(sums)
    this.table = new Uint32Array(rows * 2)
    for (let row = 0; row < this.count; row++) {
      let at = this.hash(a[row]!, b[row]!, withCollider[row]!)
      while (this.table[at] !== 0) at = (at + 1) & (this.table.length - 1)
      this.table[at] = row + 1
    }
  }
}
