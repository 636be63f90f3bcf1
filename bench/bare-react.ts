import { createElement, type ReactNode, useEffect } from 'react';
import { hydrateRoot } from 'react-dom/client';

// What React alone costs for a page: it hydrates the very elements the server sent, and they do nothing.

function asElements(node: Node): ReactNode[] {
  return [...node.childNodes].flatMap((child): ReactNode[] => {
    if (child instanceof Text) return [child.data];
    if (!(child instanceof Element)) return [];
    // Without attributes: in production React does not compare them when it hydrates.
    return [createElement(child.tagName.toLowerCase(), null, ...asElements(child))];
  });
}

function Bare({ children }: { children: ReactNode[] }) {
  useEffect(() => {
    document.documentElement.dataset.hydrated = '';
  }, []);
  return children;
}

const root = document.getElementById('root');
if (root) hydrateRoot(root, createElement(Bare, null, ...asElements(root)));
