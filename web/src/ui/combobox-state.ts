export interface Choice {
  value: string;
  label: string;
}

export interface ComboboxState {
  isOpen: boolean;
  /** The filter text; null while none was typed, and then the field shows the chosen label. */
  query: string | null;
  /** Index among the matches; -1 for none. */
  active: number;
}

export type ComboboxAction =
  | { type: 'open'; active: number }
  | { type: 'search'; query: string }
  | { type: 'move'; active: number }
  | { type: 'close' };

export const closedCombobox: ComboboxState = { isOpen: false, query: null, active: -1 };

export function comboboxReducer(state: ComboboxState, action: ComboboxAction): ComboboxState {
  switch (action.type) {
    case 'open':
      return state.isOpen ? state : { isOpen: true, query: null, active: action.active };
    case 'search':
      return { isOpen: true, query: action.query, active: 0 };
    case 'move':
      return { ...state, active: action.active };
    case 'close':
      return closedCombobox;
  }
}

// Towns are typed without their accents more often than with them.
const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

export function matchingChoices<T extends Choice>(choices: readonly T[], query: string | null): readonly T[] {
  const wanted = plain(query ?? '').trim();
  return wanted ? choices.filter(({ label }) => plain(label).includes(wanted)) : choices;
}

/** The index a key moves to, wrapping around at both ends; undefined for other keys. */
export function activeAfterKey(key: string, active: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowDown':
      return active + 1 < count ? active + 1 : 0;
    case 'ArrowUp':
      return active > 0 ? active - 1 : count - 1;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
  }
}
