const channel = (name: string) => new BroadcastChannel(name);

/** The final page of a step-up window. */
export const provedPage = '/proved';

function tell(name: string): void {
  const told = channel(name);
  told.postMessage(name);
  told.close();
}

function on(name: string, act: () => void): () => void {
  const heard = channel(name);
  heard.addEventListener('message', act);
  return () => heard.close();
}

/** Tells the opening window that the step-up succeeded. */
export const tellProved = (): void => tell('proved');

/** Returns a function that unsubscribes. */
export const onProved = (proved: () => void): (() => void) => on('proved', proved);

/** Tells the other windows of this browser to hide what they show. */
export const tellSignedOut = (): void => tell('signed out');

/** Returns a function that unsubscribes. */
export const onSignedOut = (signedOut: () => void): (() => void) => on('signed out', signedOut);
