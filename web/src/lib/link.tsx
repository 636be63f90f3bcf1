import type { ComponentProps, MouseEvent } from 'react';
import { usePage } from './page.tsx';

export type LinkProps = Omit<ComponentProps<'a'>, 'href'> & { href: string };

/** A real anchor with the language prefix; with script a plain click navigates without a page load. */
export function Link({ href, onClick, ...rest }: LinkProps) {
  const page = usePage();
  const isOurs = href.startsWith('/');
  return (
    <a
      {...rest}
      href={isOurs ? page.href(href) : href}
      onClick={(event: MouseEvent<HTMLAnchorElement>) => {
        onClick?.(event);
        const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
        if (event.defaultPrevented || !isOurs || !isPlain || rest.target) return;
        event.preventDefault();
        page.navigate(href);
      }}
    />
  );
}
