import { type KeyboardEvent, useEffect, useId, useReducer, useRef, useState } from 'react';
import { activeAfterKey, type Choice, closedCombobox, comboboxReducer, matchingChoices } from './combobox-state.ts';
import { useEarlyInput } from './early-input.ts';
import { controlProps, FieldFrame, type FieldTexts } from './field-frame.tsx';
import { ChevronDownIcon } from './icon.tsx';
import { comboboxControl, Listbox } from './listbox.tsx';

export type ComboboxProps = FieldTexts & {
  options: readonly Choice[];
  value: string;
  onChange: (value: string) => void;
  noMatchText: string;
  name?: string;
  placeholder?: string;
  required?: boolean;
  disabled?: boolean;
};

/** A native select at first; once hydrated and not in use, it is replaced by the searchable list. */
export function Combobox(props: ComboboxProps) {
  const { label, hint, error, options, value, onChange, name, placeholder, required, disabled } = props;
  const id = useId();
  const select = useRef<HTMLSelectElement>(null);
  const [canSearch, setCanSearch] = useState(false);
  useEarlyInput(select);
  useEffect(() => {
    if (select.current !== document.activeElement) setCanSearch(true);
  }, []);
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error} suffix={<ChevronDownIcon size={20} />}>
      {canSearch ? (
        <SearchableList {...props} id={id} />
      ) : (
        <select
          {...controlProps(id, error)}
          ref={select}
          name={name}
          required={required}
          disabled={disabled}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
          onBlur={() => setCanSearch(true)}
        >
          <option value="">{placeholder}</option>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </FieldFrame>
  );
}

function SearchableList(props: ComboboxProps & { id: string }) {
  const { id, error, options, value, onChange, noMatchText, name, placeholder, required, disabled } = props;
  const [{ isOpen, query, active }, dispatch] = useReducer(comboboxReducer, closedCombobox);
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const matches = matchingChoices(options, query);
  const chosen = options.find((option) => option.value === value);
  const open = () => dispatch({ type: 'open', active: chosen ? options.indexOf(chosen) : 0 });

  useEffect(() => {
    if (isOpen) list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [isOpen, active]);

  // Some touch browsers keep focus in a field when the page beside it is tapped, so blur alone is not enough.
  useEffect(() => {
    if (!isOpen) return;
    const closeOutside = ({ target }: PointerEvent) => {
      if (target instanceof Node && !list.current?.contains(target) && target !== input.current) {
        dispatch({ type: 'close' });
      }
    };
    document.addEventListener('pointerdown', closeOutside);
    return () => document.removeEventListener('pointerdown', closeOutside);
  }, [isOpen]);

  const choose = (choice: Choice | undefined) => {
    if (!choice) return;
    onChange(choice.value);
    dispatch({ type: 'close' });
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const { key } = event;
    const next = activeAfterKey(key, active, matches.length);
    if (!isOpen) {
      if (key !== 'ArrowDown' && key !== 'ArrowUp') return;
      open();
    } else if (key === 'Enter') choose(matches[active]);
    else if (key === 'Escape') dispatch({ type: 'close' });
    else if (next !== undefined) dispatch({ type: 'move', active: next });
    else return;
    event.preventDefault();
  };

  return (
    <>
      <input
        {...controlProps(id, error)}
        ref={input}
        {...comboboxControl(id, { isOpen, active: matches[active] ? active : null })}
        spellCheck={false}
        required={required}
        disabled={disabled}
        placeholder={placeholder}
        value={query ?? chosen?.label ?? ''}
        onChange={(event) => dispatch({ type: 'search', query: event.currentTarget.value })}
        onClick={(event) => {
          open();
          if (query === null) event.currentTarget.select();
        }}
        onKeyDown={onKeyDown}
        onBlur={() => dispatch({ type: 'close' })}
      />
      {isOpen && (
        <Listbox
          id={id}
          ref={list}
          options={matches.map((choice) => ({ key: choice.value, label: choice.label, isSelected: choice === chosen }))}
          active={active}
          onChoose={(index) => choose(matches[index])}
        >
          {noMatchText}
        </Listbox>
      )}
      <input type="hidden" name={name} value={value} />
    </>
  );
}
