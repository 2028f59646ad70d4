/** Seen by nobody but found by the Tab key and by screen readers. */
const hidden =
  'position:absolute;left:8px;bottom:8px;width:1px;height:1px;margin:0;overflow:hidden;clip-path:inset(50%)'
const shown =
  'position:absolute;left:8px;bottom:8px;margin:0;padding:6px 10px;border-radius:6px;font:13px/1.4 system-ui,sans-serif;' +
  'color:#fff;background:#111827;outline:2px solid #60a5fa;pointer-events:none'

/** The element that takes keys for the bodies of a world: it shows, and says, what they do, while it has the focus. */
export class KeyboardElement {
  readonly element: HTMLElement
  private readonly words: HTMLElement

  /** @param canvas beside which it stands */
  constructor(canvas: HTMLElement) {
    const page = canvas.ownerDocument
    this.element = page.createElement('div')
    this.element.setAttribute('role', 'application')
    this.element.setAttribute('aria-label', 'Soft bodies')
    this.words = page.createElement('span')
    this.words.setAttribute('aria-live', 'polite')
    this.element.append(this.words)
    this.element.style.cssText = hidden
    this.available = false
    canvas.insertAdjacentElement('afterend', this.element)
  }

  /** Whether the Tab key comes here: there is something to grab. */
  set available(value: boolean) {
    const index = value ? 0 : -1
    if (this.element.tabIndex !== index || !this.element.hasAttribute('tabindex')) this.element.tabIndex = index
  }

  show(): void {
    this.element.style.cssText = shown
  }

  hide(): void {
    this.element.style.cssText = hidden
    this.say('')
  }

  say(words: string): void {
    if (this.words.textContent !== words) this.words.textContent = words
  }

  remove(): void {
    this.element.remove()
  }
}
