export interface Message {
  id: string;
  at: string;
  from: string;
  text: string;
}

const mostPerLine = 100;

/** SMS by line, newest first. Numbers of other operators receive too: a code may be sent to any Malagasy number. */
export class Messages {
  #byLine = new Map<string, Message[]>();

  add(number: string, message: Message): void {
    const list = this.#byLine.get(number) ?? [];
    this.#byLine.set(number, list);
    list.unshift(message);
    if (list.length > mostPerLine) list.pop();
  }

  list(number: string): Message[] {
    return this.#byLine.get(number) ?? [];
  }

  reset(): void {
    this.#byLine.clear();
  }
}
