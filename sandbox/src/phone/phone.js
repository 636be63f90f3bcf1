const pollMs = 1500;
const lists = ['prompts', 'messages', 'mails', 'faults'];
let isRefreshing = false;

/** Adds, removes and replaces single items, so that a typed PIN stays and a screen reader hears only what is new. */
function updateList(id, fresh) {
  const shown = document.getElementById(id);
  const wanted = [...fresh.getElementById(id).children];
  const keys = new Set(wanted.map((item) => item.dataset.key));
  const kept = new Map();
  for (const item of [...shown.children]) {
    if (keys.has(item.dataset.key)) kept.set(item.dataset.key, item);
    else item.remove();
  }
  wanted.forEach((item, position) => {
    const node = kept.get(item.dataset.key) ?? document.importNode(item, true);
    if (shown.children[position] !== node) shown.insertBefore(node, shown.children[position] ?? null);
  });
}

function show(fresh, withNotice) {
  for (const id of lists) updateList(id, fresh);
  for (const id of withNotice ? ['balances', 'notice'] : ['balances']) {
    const shown = document.getElementById(id);
    const wanted = fresh.getElementById(id);
    if (shown.innerHTML !== wanted.innerHTML) shown.replaceChildren(...document.importNode(wanted, true).childNodes);
  }
}

async function load(address, options) {
  const response = await fetch(address, options);
  if (!response.ok) throw new Error(String(response.status));
  return new DOMParser().parseFromString(await response.text(), 'text/html');
}

async function refresh() {
  if (isRefreshing || document.hidden) return;
  isRefreshing = true;
  try {
    show(await load(`/sandbox?line=${document.body.dataset.line}`), false);
  } catch {
    // The next round tries again.
  } finally {
    isRefreshing = false;
  }
}

document.addEventListener('submit', async (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || !form.hasAttribute('data-live-form')) return;
  event.preventDefault();
  // Buttons named action hide the form's own action property.
  const body = new URLSearchParams(new FormData(form, event.submitter));
  try {
    show(await load(form.getAttribute('action'), { method: 'POST', body }), true);
  } catch {
    document.getElementById('notice').textContent = 'The sandbox did not answer. Try again.';
  }
});

setInterval(refresh, pollMs);
