/** A drawing as a value of the token `drawing`: inlined in the page, so that no request is needed for it. */
export const drawn = (svg: string): string =>
  `url("data:image/svg+xml,${svg.replaceAll(/[<>#"%]/g, encodeURIComponent).replaceAll(/\s+/g, ' ')}")`;
