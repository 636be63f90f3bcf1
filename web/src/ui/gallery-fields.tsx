import { useState } from 'react';
import { AmountField } from './amount-field.tsx';
import { Button } from './button.tsx';
import { Checkbox } from './checkbox.tsx';
import { Combobox } from './combobox.tsx';
import { DigitBoxes } from './digit-boxes.tsx';
import { Field } from './field.tsx';
import styles from './gallery.module.css';
import { Piece } from './gallery-piece.tsx';
import { CardIcon, PhoneIcon, WalletIcon } from './icon.tsx';
import { NumberField } from './number-field.tsx';
import { RadioCardGroup } from './radio-card.tsx';
import { SelectField } from './select-field.tsx';

const countryCode = '999';
const group = (digits: string) => digits.replace(/^(\d{2})(\d{0,2})(\d{0,3})(\d*)$/, '$1 $2 $3 $4').trim();
function read(text: string) {
  const digits = text.replace(/\D/g, '');
  const national = /^\s*(\+|00)/.test(text) || digits.length > 10 ? digits.replace(/^(00)?\d{3}/, '') : digits;
  return national.replace(/^0/, '').slice(0, 9);
}
const formatAmount = (amount: number) => String(amount).replace(/\B(?=(\d{3})+$)/g, '\u00a0');

const towns = [
  'Ambositra',
  'Antananarivo',
  'Antsirabe',
  'Antsiranana',
  'Fianarantsoa',
  'Île Sainte-Marie',
  'Mahajanga',
  'Morondava',
  'Toamasina',
  'Toliara',
].map((label) => ({ value: label.toLowerCase(), label }));

const ways = [
  { value: 'card', title: 'Card', detail: 'You pay on the page of your bank', icon: <CardIcon />, note: 'No fee' },
  { value: 'wallet', title: 'Wallet', detail: 'We send a request to your phone', icon: <WalletIcon /> },
  {
    value: 'airtime',
    title: 'Airtime',
    detail: 'Taken from your balance',
    icon: <PhoneIcon />,
    disabled: true,
    note: 'Not enough',
  },
];

export function GalleryFields() {
  const [number, setNumber] = useState('');
  const [wrong, setWrong] = useState('390000009');
  const [amount, setAmount] = useState('');
  const [email, setEmail] = useState('');
  return (
    <>
      <Piece id="number-field" title="Number field">
        <NumberField
          label="Mobile number"
          name="number"
          prefix={`+${countryCode}`}
          value={number}
          onChange={setNumber}
          group={group}
          read={read}
          hint="Nine digits"
          status={number.length === 9 ? 'Prepaid line' : undefined}
        />
        <NumberField
          label="Mobile number, wrong"
          prefix={`+${countryCode}`}
          value={wrong}
          onChange={setWrong}
          group={group}
          read={read}
          error="Invalid mobile number"
        />
        <output id="number-digits">{number}</output>
      </Piece>
      <Piece id="amount-field" title="Amount field">
        <AmountField
          label="Amount"
          name="amount"
          currency="XTS"
          value={amount}
          onChange={setAmount}
          chips={[500, 1000, 2000, 5000, 10000]}
          chipsLabel="Usual amounts"
          formatChip={formatAmount}
        />
        <AmountField
          label="Amount, too small"
          currency="XTS"
          defaultValue="10"
          chipsLabel="None"
          error="Minimum amount should be XTS 100"
        />
      </Piece>
      <Piece id="field" title="Field">
        <Field
          label="Email"
          type="email"
          name="email"
          hint="For the receipt"
          autoComplete="email"
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <Field label="Email, wrong" type="email" defaultValue="someone@" error="Invalid email" />
        <Field label="Speed" suffix="Mbit/s" defaultValue="20" inputMode="numeric" />
        <Field label="Account, disabled" defaultValue="1000000002" disabled />
      </Piece>
      <Piece id="select-field" title="Select field">
        <SelectField label="Town" options={towns} placeholder="Choose a town" name="plain-town" />
        <SelectField label="Town, wrong" options={towns} placeholder="Choose a town" error="Town is required" />
      </Piece>
      <GalleryChoices />
    </>
  );
}

function GalleryChoices() {
  const [code, setCode] = useState('');
  const [completed, setCompleted] = useState<readonly string[]>([]);
  const [pin, setPin] = useState('');
  const [town, setTown] = useState('');
  const [way, setWay] = useState('card');
  const [terms, setTerms] = useState(false);
  return (
    <>
      <Piece id="combobox" title="Combobox">
        <Combobox
          label="Town to search"
          name="town"
          options={towns}
          value={town}
          onChange={setTown}
          placeholder="Choose a town"
          noMatchText="No match"
          hint="Type a part of its name"
        />
        <Combobox
          label="Town to search, wrong"
          options={towns}
          value="toliara"
          onChange={() => {}}
          noMatchText="No match"
          error="No service there yet"
        />
      </Piece>
      <Piece id="digit-boxes" title="Digit boxes">
        <DigitBoxes
          label="Code"
          length={6}
          value={code}
          onChange={setCode}
          onComplete={(digits) => setCompleted([...completed, digits])}
          hint="Six digits by SMS"
          name="code"
        />
        <DigitBoxes label="PIN" length={4} value={pin} onChange={setPin} masked autoComplete="off" />
        <DigitBoxes
          label="Code, wrong"
          length={6}
          value="123456"
          onChange={() => {}}
          error="Please enter the right code"
        />
        <DigitBoxes label="Code, locked" length={6} value="12" onChange={() => {}} disabled />
        <output id="code-completed">{completed.join(' ')}</output>
      </Piece>
      <Piece id="radio-card" title="Radio cards">
        <RadioCardGroup legend="Way to pay" name="way" options={ways} value={way} onChange={setWay} />
        <RadioCardGroup legend="Way to pay, none chosen" name="no-way" options={ways} error="Choose a way to pay" />
      </Piece>
      <Piece id="checkbox" title="Checkbox">
        <Checkbox
          label="I have read the terms of sale and agree"
          name="terms"
          checked={terms}
          onChange={(event) => setTerms(event.currentTarget.checked)}
        />
        <Checkbox label="This is my own address" error="Please tick the box" />
        <output id="terms-ticked">{String(terms)}</output>
      </Piece>
      <Piece id="plain-form" title="Plain form">
        <form className={styles.form} method="get">
          <Field label="Search" name="search" type="search" defaultValue="" />
          <Button type="submit">Send</Button>
        </form>
      </Piece>
    </>
  );
}
