import type { Source } from './source.ts';

interface KeptParts<One> {
  readonly name: string;
  /** With its article: `a report`. */
  readonly noun: string;
  /** Gives those of a workspace. */
  readonly list: (teamId: string) => Promise<readonly One[]>;
  /** Tells one from the other, beside its name. */
  readonly hintOf: (one: One) => string;
}

/** Creates what is chosen by name from what Rackhand itself keeps of a workspace. */
export function createKeptSource<One extends { readonly name: string }>(parts: KeptParts<One>): Source {
  const { name, noun, list, hintOf } = parts;
  return {
    name,
    noun,
    unknown: (written) => `There is no ${noun.replace(/^an? /, '')} called "${written}" here.`,
    async load(_read, _given, _maxAgeMs, teamId = '') {
      const choices = (await list(teamId)).map((one) => ({
        value: one.name,
        text: one.name,
        hint: hintOf(one),
      }));
      return { choices, isComplete: true };
    },
  };
}
