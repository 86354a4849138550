import type { ChoiceSource } from '../../define/arguments/choice-source.ts';

interface StoredEntityOptions<One> {
  readonly name: string;
  /** The noun with its article: "a report". */
  readonly noun: string;
  readonly list: (teamId: string) => Promise<readonly One[]>;
  /** Formats details that distinguish one entity from another. */
  readonly formatHint: (one: One) => string;
}

/** Creates a choice source from Rackhand's own data in a workspace, such as its reports. */
export function createStoredEntitySource<One extends { readonly name: string }>(
  options: StoredEntityOptions<One>,
): ChoiceSource {
  const { name, noun, list, formatHint } = options;
  return {
    name,
    noun,
    isOwnData: true,
    formatNotFound: (written) => `There's no ${noun.replace(/^an? /, '')} named "${written}" here.`,
    async load(_read, _given, _maxAgeMs, workspace) {
      const choices = (await list(workspace?.teamId ?? '')).map((one) => ({
        value: one.name,
        text: one.name,
        hint: formatHint(one),
      }));
      return { choices, isComplete: true };
    },
  };
}
