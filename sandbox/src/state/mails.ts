export interface Mail {
  id: string;
  at: string;
  to: string[];
  from: string;
  messageId: string;
  subject: string;
  text: string;
  html: string;
  attachments: string[];
}

const kept = 1000;

export class Mails {
  #mails: Mail[] = [];

  add(mail: Mail): void {
    this.#mails.unshift(mail);
    if (this.#mails.length > kept) this.#mails.pop();
  }

  list(to?: string): Mail[] {
    if (to === undefined) return this.#mails;
    const wanted = to.toLowerCase();
    return this.#mails.filter((mail) => mail.to.some((address) => address.toLowerCase() === wanted));
  }

  reset(): void {
    this.#mails = [];
  }
}
