import { createElement, useEffect, useState } from 'react';
import { hydrateRoot } from 'react-dom/client';

// The least that a page with React can be: a field whose value React holds. It is what the portal is compared with.
function Bare() {
  const [value, setValue] = useState('');
  useEffect(() => {
    document.documentElement.dataset.hydrated = '';
  }, []);
  const field = createElement('input', {
    name: 'msisdn',
    value,
    onChange: (event: { target: { value: string } }) => setValue(event.target.value),
  });
  return createElement(
    'form',
    null,
    createElement('label', null, 'Number ', field),
    createElement('button', { type: 'submit' }, 'Buy'),
  );
}

const root = document.getElementById('bare');
if (root) hydrateRoot(root, createElement(Bare));
