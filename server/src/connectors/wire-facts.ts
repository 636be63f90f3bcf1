/** `documented`: the provider says so, or several clients in production agree. `believed`: no evidence was available. */
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
  /** As it appears in the provider's response. */
  code: string;
  /** What it means according to the provider. */
  says: string;
  /** What the connector reads it as: an outcome of the port, and its reason. */
  read: string;
  certainty: Certainty;
  source: string;
}

/** A response in the form of its sources, and how the connector reads it. */
export interface Example {
  call: string;
  status: number;
  json: unknown;
  reads: object;
}

/**
 * What is known about a provider's protocol, and how certain it is. docs/connectors/ is generated from it, and tests
 * use its examples.
 */
export interface WireFacts {
  title: string;
  summary: string;
  sources: Readonly<Record<string, string>>;
  facts: readonly Fact[];
  codes: readonly CodeFact[];
  examples: readonly Example[];
}
