/** What is still to happen by itself; all of it can be forgotten at once. */
export class Timers {
  #waiting = new Set<NodeJS.Timeout>();

  later(delayMs: number, action: () => void): void {
    const timer = setTimeout(() => {
      this.#waiting.delete(timer);
      action();
    }, delayMs);
    this.#waiting.add(timer);
  }

  clear(): void {
    for (const timer of this.#waiting) clearTimeout(timer);
    this.#waiting.clear();
  }
}
