/** `documented`: the provider says so itself, or several clients in use agree. `believed`: nobody could show it to us. */
export type Certainty = 'documented' | 'believed';

export interface Fact {
  fact: string;
  certainty: Certainty;
  /** A key of `sources`. */
  source: string;
  /** What the connector does so that a wrong belief costs nobody money. */
  ifWrong?: string;
}

export interface CodeFact {
  /** As it stands in the provider's answer. */
  code: string;
  /** What the provider says it means. */
  says: string;
  /** What it is to the portal: an outcome of the port, and its reason. */
  read: string;
  certainty: Certainty;
  source: string;
}

/** An answer as it comes over the wire, in the shape of its sources, and what the connector makes of it. */
export interface Example {
  call: string;
  status: number;
  json: unknown;
  reads: object;
}

/** What is known of a provider's protocol, and how well. docs/connectors/ is generated from it, tests read its examples. */
export interface WireFacts {
  title: string;
  summary: string;
  sources: Readonly<Record<string, string>>;
  facts: readonly Fact[];
  codes: readonly CodeFact[];
  examples: readonly Example[];
}
