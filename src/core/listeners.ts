import { checkCallback } from './validation.js'

/** Callbacks that come and go, also while they are being called: one that goes leaves a gap until `tidy`. */
export class Listeners<F> {
  private readonly list: ({ readonly callback: F } | null)[] = []
  private gaps = false

  /** @param method what adds to them, of `component` */
  constructor(
    private readonly method: string,
    private readonly component = 'SoftBodyWorld',
  ) {}

  /** Places in the list, gaps included. */
  get count(): number {
    return this.list.length
  }

  /** The callback in place `k`; null where one has gone. */
  at(k: number): F | null {
    const entry = this.list[k]
    return entry ? entry.callback : null
  }

  /** Adds a callback, once for every call, and returns what stops it. @throws SettingError for what cannot be called */
  add(callback: F): () => void {
    checkCallback(this.component, this.method, callback)
    const entry = { callback }
    this.list.push(entry)
    return () => {
      const at = this.list.indexOf(entry)
      if (at < 0) return
      this.list[at] = null
      this.gaps = true
    }
  }

  /** Closes the gaps; not to be called while the list is walked. */
  tidy(): void {
    if (!this.gaps) return
    let to = 0
    for (const entry of this.list) if (entry) this.list[to++] = entry
    this.list.length = to
    this.gaps = false
  }

  clear(): void {
    this.list.length = 0
  }
}
