import type { RefObject } from 'react'

interface LogProps {
  panel: RefObject<HTMLDivElement | null>
  /** Lines that there is room for. */
  lines: number
}

/** A panel in a corner of a story, which `writeLine` writes into. */
export function Log({ panel, lines }: LogProps) {
  return (
    <div
      ref={panel}
      role="log"
      aria-label="Events"
      style={{
        position: 'absolute',
        inset: '16px auto auto 16px',
        minWidth: 260,
        minHeight: lines * 19,
        padding: '10px 14px',
        font: '13px/19px ui-monospace, Menlo, monospace',
        whiteSpace: 'pre',
        color: '#3c332e',
        background: '#fffdf9e6',
        border: '1px solid #d8cbbd',
        borderRadius: 10,
        pointerEvents: 'none',
      }}
    />
  )
}

/** Writes the newest line on top of a panel: no React state, since events come with the frames. */
export function writeLine(panel: HTMLElement | null, lines: number, text: string): void {
  if (!panel) return
  const line = document.createElement('div')
  line.textContent = text
  panel.prepend(line)
  while (panel.childElementCount > lines) panel.lastElementChild!.remove()
}
