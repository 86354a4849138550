import type { ChoiceSource } from '../../define/arguments/choice-source.ts';

interface StoredEntityOptions<One> {
  readonly name: string;
  /** The noun with its article: "a report". */
  readonly noun: string;
  readonly list: (teamId: string) => Promise<readonly One[]>;
  /** Returns all names, including those of entities that `list` leaves out because they can't be read. */
  readonly listNames: (teamId: string) => Promise<readonly string[]>;
  /** Formats details that distinguish one entity from another. */
  readonly formatHint: (one: One) => string;
}

/** Creates a choice source from Rackhand's own data in a workspace, such as its reports. */
export function createStoredEntitySource<One extends { readonly name: string }>(
  options: StoredEntityOptions<One>,
): ChoiceSource {
  const { name, noun, list, listNames, formatHint } = options;
  return {
    name,
    noun,
    isOwnData: true,
    formatNotFound: (written) => `There's no ${noun.replace(/^an? /, '')} named "${written}" here.`,
    async load(_read, _given, _maxAgeMs, workspace) {
      const teamId = workspace?.teamId ?? '';
      const readable = new Map((await list(teamId)).map((one) => [one.name, one]));
      const choices = (await listNames(teamId)).map((each) => {
        const one = readable.get(each);
        return { value: each, text: each, hint: one ? formatHint(one) : "can't be read by this version" };
      });
      return { choices, isComplete: true };
    },
  };
}
