import { createElement, type ReactNode, useEffect } from 'react';
import { hydrateRoot } from 'react-dom/client';

// The cost of React alone: hydrates the elements of the server's HTML, without any behaviour.

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
