import type { Read } from '../operation.ts';

/** One of what the service has, to be chosen. */
export interface Choice {
  /** What a call names it by. */
  readonly value: string;
  /** What people know it by; foreign text of any length. */
  readonly text: string;
  /** What it is called besides: an address, a name without its prefix. */
  readonly aliases?: readonly string[];
  /** The service's own word for its state. */
  readonly state?: string;
  /** More that it can be found by, and that tells it apart: an address, a size. */
  readonly hint?: string;
}

export interface SourceReading {
  readonly choices: readonly Choice[];
  /** Whether there is surely nothing beside these. */
  readonly isComplete: boolean;
}

/** What the choices of an argument come from. */
export interface Source {
  readonly name: string;
  /** With its article: "a snapshot". */
  readonly noun: string;
  /** Whether the nearest name is worth showing however far it is: it shows what names look like. */
  readonly isAlwaysSuggested?: true;
  /** Whether its values are identifiers that say nothing to people, who read what it is called in their place. */
  readonly isById?: true;
  /** The argument whose value it is read by, such as the VPS whose snapshots these are. */
  readonly dependsOn?: string;
  /** Says that there is none of that name, and what a name looks like where that helps. */
  unknown(name: string, given: Readonly<Record<string, unknown>>): string;
  /**
   * Reads what there is; `given` are the other values of the input. An answer may be `maxAgeMs` old. The workspace is named for what Rackhand itself
   * keeps of it.
   */
  load(
    read: Read,
    given: Readonly<Record<string, unknown>>,
    maxAgeMs: number,
    teamId?: string,
  ): Promise<SourceReading>;
}

/** How old the choices may be in a select or where a name is looked for, in ms. One that lacks a name is read anew. */
export const choicesAgeMs = 60_000;
