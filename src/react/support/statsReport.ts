import { stages } from '../../headless.js'
import type { WorldRuntime } from './worldRuntime.js'

/** What a world did between two readings, in words: times per step, counts, guards. */
export class StatsReport {
  private readonly times = new Float64Array(stages.length)
  private readonly before = new Float64Array(stages.length)
  private frames = 0
  private steps: number
  private sync = 0

  constructor(private readonly runtime: WorldRuntime) {
    this.steps = runtime.world.stats.steps
    runtime.world.readStageTimes(this.before)
    this.sync = runtime.syncSeconds
  }

  /** Counts a frame; allocates nothing. */
  countFrame(): void {
    this.frames++
  }

  /** The lines since the last reading, and starts anew. */
  read(): string {
    const { world, syncSeconds } = this.runtime
    const { stats } = world
    world.readStageTimes(this.times)
    const steps = stats.steps - this.steps
    const lines = ['step', ...stages].map((name, row) => {
      let seconds = 0
      for (let k = 0; k < stages.length; k++)
        if (row === 0 || k === row - 1) seconds += this.times[k]! - this.before[k]!
      return line(row === 0 ? name : ` ${name}`, milliseconds(seconds, steps))
    })
    lines.push(line('meshes', milliseconds(syncSeconds - this.sync, this.frames)))
    for (const name of ['bodies', 'particles', 'constraints', 'contacts'] as const) {
      lines.push(line(name, String(stats[name])))
    }
    lines.push(line('speed clamps', String(stats.speedClamps)))
    lines.push(line('contact clamps', String(stats.contactClamps)))
    lines.push(line('rescues', String(stats.nonFiniteRescues + stats.inversionRescues)))
    lines.push(line('dropped', `${stats.droppedTime.toFixed(2)} s`))
    this.steps = stats.steps
    this.sync = syncSeconds
    this.frames = 0
    this.before.set(this.times)
    return lines.join('\n')
  }
}

function milliseconds(seconds: number, count: number): string {
  return count > 0 ? `${((1000 * seconds) / count).toFixed(2)} ms` : '-'
}

function line(name: string, value: string): string {
  return name.padEnd(14) + value.padStart(9)
}
