const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export class SafeHtml {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Piece = string | number | SafeHtml | readonly SafeHtml[];

/** Everything put into the template is escaped, unless it came out of this function itself. */
export function html(parts: TemplateStringsArray, ...pieces: Piece[]): SafeHtml {
  const text = parts.reduce((whole, part, index) => whole + render(pieces[index - 1]) + part);
  return new SafeHtml(text);
}

function render(piece: Piece | undefined): string {
  if (piece === undefined) return '';
  if (piece instanceof SafeHtml) return piece.text;
  if (typeof piece === 'string' || typeof piece === 'number') {
    return String(piece).replace(/[&<>"']/g, (character) => entities[character] ?? '');
  }
  return piece.map((item) => item.text).join('');
}
