import { Component, type ReactNode } from 'react';
import { ThrownResponse } from '../lib/screen.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';

export interface ErrorTexts {
  title: string;
  retry: string;
  home: string;
  homeHref: string;
}

/** 'Unexpected Application Error!' with a status and its text, or the message, and a next step. */
export function ErrorView({ error, texts, onRetry }: { error: unknown; texts: ErrorTexts; onRetry?: () => void }) {
  const message = error instanceof Error ? error.message : String(error);
  return (
    <div className="lit-box">
      <Notice
        kind="failure"
        large
        role="alert"
        title={<h1>{texts.title}</h1>}
        action={
          <>
            {onRetry && <Button onClick={onRetry}>{texts.retry}</Button>}
            <ButtonLink href={texts.homeHref} kind="secondary">
              {texts.home}
            </ButtonLink>
          </>
        }
      >
        {error instanceof ThrownResponse ? `${error.status} ${message}` : message}
      </Notice>
    </div>
  );
}

interface BoundaryProps {
  /** Navigating clears the error. */
  place: string;
  texts: ErrorTexts;
  children: ReactNode;
}

export class ErrorBoundary extends Component<BoundaryProps, { error: unknown; place: string }> {
  constructor(props: BoundaryProps) {
    super(props);
    this.state = { error: null, place: props.place };
  }

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  static getDerivedStateFromProps(props: BoundaryProps, state: { error: unknown; place: string }) {
    return props.place === state.place ? null : { error: null, place: props.place };
  }

  override render() {
    if (this.state.error === null) return this.props.children;
    return <ErrorView error={this.state.error} texts={this.props.texts} onRetry={() => window.location.reload()} />;
  }
}
