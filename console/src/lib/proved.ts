const channel = () => new BroadcastChannel('proved');

/** Where a window of its own ends up after somebody has shown once more who they are. */
export const provedPage = '/proved';

/** Tells the window in which something was begun that it may go on. */
export function tellProved(): void {
  const told = channel();
  told.postMessage('proved');
  told.close();
}

/** Gives how to stop hearing of it. */
export function onProved(proved: () => void): () => void {
  const heard = channel();
  heard.addEventListener('message', proved);
  return () => heard.close();
}
