import { useState } from 'react';
import { ActionBar } from './action-bar.tsx';
import { Button, ButtonLink } from './button.tsx';
import { Card } from './card.tsx';
import { Chip, ChipLink, ChipRow, ChoiceChip } from './chip.tsx';
import { Countdown } from './countdown.tsx';
import { Dialog } from './dialog.tsx';
import { Field } from './field.tsx';
import styles from './gallery.module.css';
import { GalleryFields } from './gallery-fields.tsx';
import { GalleryIcons } from './gallery-icons.tsx';
import { Piece } from './gallery-piece.tsx';
import { FlameIcon, PhoneIcon } from './icon.tsx';
import { Loader } from './loader.tsx';
import { Notice } from './notice.tsx';
import { BillIcon, BundleIcon, GlobeIcon, RouterIcon } from './page-icons.tsx';
import { ProgressOverlay } from './progress-overlay.tsx';
import { Skeleton } from './skeleton.tsx';
import { Steps } from './steps.tsx';
import { SummaryList } from './summary-list.tsx';
import { TabsNav } from './tabs-nav.tsx';
import { Timeline } from './timeline.tsx';
import { showToast } from './toast-store.ts';

const tabs = [
  { href: '#recharge', label: 'Recharge', icon: <PhoneIcon />, current: true },
  { href: '#bundles', label: 'Bundles', icon: <BundleIcon /> },
  { href: '#bill', label: 'Bill', icon: <BillIcon /> },
  { href: '#broadband', label: 'Broadband', icon: <RouterIcon /> },
  { href: '#fixed', label: 'Fixed internet', icon: <GlobeIcon /> },
];

export function UiGallery() {
  return (
    <div className={styles.gallery}>
      <h1>Pieces</h1>
      <GalleryButtons />
      <GalleryFields />
      <GalleryLayers />
      <GalleryMessages />
      <Piece id="icons" title="Icons">
        <GalleryIcons />
      </Piece>
    </div>
  );
}

function GalleryButtons() {
  const [presses, setPresses] = useState(0);
  return (
    <>
      <Piece id="button" title="Button">
        <div className={styles.row}>
          <Button onClick={() => setPresses(presses + 1)}>Primary</Button>
          <Button kind="secondary">Secondary</Button>
          <Button kind="quiet">Quiet</Button>
          <Button kind="danger">Danger</Button>
          <ButtonLink href="#button" kind="secondary">
            A link
          </ButtonLink>
        </div>
        <div className={styles.row}>
          <Button busy onClick={() => setPresses(presses + 1)}>
            Busy
          </Button>
          <Button disabled aria-describedby="why-disabled">
            Disabled
          </Button>
          <span id="why-disabled">Enter a number first</span>
          <output id="presses">{presses}</output>
        </div>
        <Button block>As wide as the column</Button>
      </Piece>
      <Piece id="action-bar" title="Action bar (at the bottom of a phone)">
        <ActionBar>
          <Button block>Pay</Button>
        </ActionBar>
      </Piece>

      <Piece id="chip" title="Chip">
        <ChipRow>
          <Chip>30 days</Chip>
          <Chip>Night</Chip>
        </ChipRow>
        <ChipRow>
          <ChoiceChip name="kind" value="all" defaultChecked>
            All
          </ChoiceChip>
          <ChoiceChip name="kind" value="data">
            Data
          </ChoiceChip>
          <ChoiceChip name="kind" value="voice" disabled>
            Voice
          </ChoiceChip>
          <ChoiceChip type="checkbox" name="night" value="yes">
            Night
          </ChoiceChip>
        </ChipRow>
        <ChipRow>
          <ChipLink href="#chip" aria-current="page">
            Chosen link
          </ChipLink>
          <ChipLink href="#chip-other">Other link</ChipLink>
        </ChipRow>
      </Piece>
      <Piece id="tabs-nav" title="Tabs as links">
        <TabsNav label="Recharge and pay" items={tabs} />
      </Piece>
    </>
  );
}

function GalleryLayers() {
  const [dialog, setDialog] = useState<'none' | 'closable' | 'held' | 'progress'>('none');
  const [rounds, setRounds] = useState(0);
  const [ends, setEnds] = useState(0);
  const close = () => setDialog('none');
  const fail = () =>
    showToast({ kind: 'error', heading: 'Error', message: 'The line could not be reached.', seconds: 10 });
  return (
    <>
      <Piece id="dialog" title="Dialog">
        <div className={styles.row}>
          <Button kind="secondary" onClick={() => setDialog('closable')}>
            Open dialog
          </Button>
          <Button kind="secondary" onClick={() => setDialog('held')}>
            Open without close
          </Button>
        </div>
        <Dialog
          open={dialog === 'closable'}
          title="Confirm the address"
          onClose={close}
          closeLabel="Close"
          actions={
            <>
              <Button kind="secondary" onClick={fail}>
                Fail
              </Button>
              <Button onClick={close}>Continue</Button>
            </>
          }
        >
          <p>The page behind does not move.</p>
          <Field label="Street" />
        </Dialog>
        <Dialog
          open={dialog === 'held'}
          title="Are you sure?"
          closeLabel="Close"
          actions={<Button onClick={close}>Yes</Button>}
        >
          <p>Escape does nothing here.</p>
        </Dialog>
      </Piece>
      <Piece id="progress-overlay" title="Progress overlay">
        <Button
          kind="secondary"
          onClick={() => {
            setDialog('progress');
            setTimeout(close, 2500);
          }}
        >
          Process
        </Button>
        <ProgressOverlay open={dialog === 'progress'} message="Processing" closeLabel="Close">
          Please approve the request on your phone.
        </ProgressOverlay>
      </Piece>
      <Piece id="toast" title="Toast">
        <div className={styles.row}>
          <Button
            kind="secondary"
            onClick={() => showToast({ kind: 'success', heading: 'Success', message: 'Code sent.', seconds: 3 })}
          >
            Success toast
          </Button>
          <Button kind="secondary" onClick={fail}>
            Error toast
          </Button>
        </div>
      </Piece>
      <Piece id="countdown" title="Countdown">
        <p>
          Send again in{' '}
          <Countdown key={rounds} seconds={5} format={(left) => `0:0${left}`} onEnd={() => setEnds(ends + 1)} />
        </p>
        <div className={styles.row}>
          <Button kind="quiet" onClick={() => setRounds(rounds + 1)}>
            Start again
          </Button>
          <output id="countdown-ends">{ends}</output>
        </div>
      </Piece>
    </>
  );
}

function GalleryMessages() {
  return (
    <>
      <Piece id="notice" title="Notice">
        <Notice
          kind="info"
          title="This is a postpaid line"
          action={<ButtonLink href="#notice">Pay its bill</ButtonLink>}
        >
          Airtime cannot be bought for it.
        </Notice>
        <Notice kind="success" title="Delivered">
          The airtime is on the line.
        </Notice>
        <Notice kind="failure" title="Not taken">
          The wallet refused. No money has moved.
        </Notice>
        <Notice kind="process" title="Waiting for your approval">
          Look at your phone.
        </Notice>
        <Notice kind="success" title="Thank you" large>
          Your transaction is successful.
        </Notice>
        <Notice kind="process" title="In processing" large>
          We are still finding out.
        </Notice>
      </Piece>
      <Piece id="card" title="Card and summary list">
        <Card>
          <h3>Summary</h3>
          <SummaryList
            rows={[
              { label: 'Mobile number', value: '39 00 000 01' },
              { label: 'Bundle', value: '10 GB for the whole family, day and night, with unlimited calls' },
              { label: 'To pay', value: 'XTS 10 000', strong: true },
            ]}
          />
        </Card>
        <Card aria-busy="true">
          <h3>Loading</h3>
          <Skeleton height={40} width="70%" />
          <Skeleton lines={3} />
        </Card>
      </Piece>
      <Piece id="steps" title="Steps">
        <Steps label="Progress" items={['Details', 'Pay', 'Done']} current={1} />
        <Steps label="Progress, finished" items={['Details', 'Pay', 'Done']} current={3} />
      </Piece>
      <Piece id="timeline" title="Timeline">
        <Timeline
          items={[
            { label: 'Waiting for your approval', time: '10:42', state: 'done', stateText: 'done' },
            { label: 'Taken and on its way', time: '10:43', state: 'current', stateText: 'now' },
            { label: 'Delivered', state: 'todo', stateText: 'to come' },
          ]}
        />
        <Timeline
          items={[
            { label: 'Taken and on its way', time: '10:43', state: 'done' },
            { label: 'Not delivered', time: '10:44', state: 'failed' },
            { label: 'Given back', time: '10:45', state: 'done' },
          ]}
        />
      </Piece>
      <Piece id="loader" title="Loader">
        <div className={styles.window}>
          <Loader
            logo={<FlameIcon size={64} />}
            title="Please wait ..."
            lines={['Hold on!', 'We are loading the page for you']}
          />
        </div>
      </Piece>
    </>
  );
}
