import type { CallbackSender } from './callbacks/callback-sender.ts';
import type { FaultBoard } from './faults/fault-board.ts';
import type { SandboxSettings } from './settings.ts';
import type { SandboxState } from './state/sandbox-state.ts';
import type { NumberPlan } from './wire/line-number.ts';

/** What every provider's register function receives. */
export interface SandboxContext {
  settings: SandboxSettings;
  state: SandboxState;
  numbers: NumberPlan;
  faults: FaultBoard;
  callbacks: CallbackSender;
  /** Aborted when the sandbox stops, so that held requests end. */
  stopping: AbortSignal;
}
