import type { ChoiceSource, ChoiceWorkspace, Viewer } from '../../define/arguments/choice-source.ts';
import type { Read } from '../../define/read.ts';

interface StoredEntityOptions<One> {
  readonly name: string;
  /** The noun with its article: "a report". */
  readonly noun: string;
  readonly list: (teamId: string) => Promise<readonly One[]>;
  /** Returns the names of all entities, including those that `list` leaves out because they can't be read. */
  readonly listNames: (teamId: string) => Promise<readonly string[]>;
  /** Keeps the entities that a person is allowed to see. By default, people can see all of them. */
  readonly filterVisible?: (
    all: readonly One[],
    viewer: Viewer & { readonly read: Read; readonly workspace: ChoiceWorkspace },
  ) => Promise<readonly One[]>;
  /** Formats details that distinguish one entity from another. */
  readonly formatHint: (one: One) => string;
}

/** Creates a choice source from Rackhand's own data in a workspace, such as its reports. */
export function createStoredEntitySource<One extends { readonly name: string }>(
  options: StoredEntityOptions<One>,
): ChoiceSource {
  const { name, noun, list, listNames, filterVisible, formatHint } = options;
  return {
    name,
    noun,
    isOwnData: true,
    formatNotFound: (written) => `There's no ${noun.replace(/^an? /, '')} named "${written}" here.`,
    async load(read, _given, _maxAgeMs, workspace) {
      const teamId = workspace?.teamId ?? '';
      const all = await list(teamId);
      const viewer = workspace?.viewer;
      const visible =
        viewer && filterVisible ? await filterVisible(all, { ...viewer, read, workspace }) : all;
      const readable = new Map(visible.map((one) => [one.name, one]));
      const hidden = new Set(all.map((one) => one.name).filter((one) => !readable.has(one)));
      const choices = (await listNames(teamId)).flatMap((each) => {
        if (hidden.has(each)) return [];
        const one = readable.get(each);
        return [{ value: each, text: each, hint: one ? formatHint(one) : "can't be read by this version" }];
      });
      return { choices, isComplete: true };
    },
  };
}
