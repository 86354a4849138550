import { useEffect, useState } from 'react';
import type { ChoiceGroup } from './choices.ts';

/** Where a menu's choices come from. */
export type Source =
  | { readonly kind: 'local'; find(text: string): readonly ChoiceGroup[] }
  | {
      readonly kind: 'remote';
      /** Below as many characters nobody is asked. */
      readonly minChars: number;
      find(text: string): Promise<readonly ChoiceGroup[]>;
    };

/** What a menu shows. */
export interface Found {
  readonly groups: readonly ChoiceGroup[];
  /** What is said in place of choices. */
  readonly status?: string;
  readonly isFailed?: boolean;
}

/** How long typing rests before the app is asked. */
const restMs = 200;
const loading: Found = { groups: [], status: 'Loading…' };

/** Finds what a menu shows for what is typed. An answer that comes too late is dropped. */
export function useFound(source: Source, text: string, isOpen: boolean): Found {
  const [answer, setAnswer] = useState<{ readonly text: string; readonly found: Found }>();
  const isAsked = isOpen && source.kind === 'remote' && text.length >= source.minChars;

  // biome-ignore lint/correctness/useExhaustiveDependencies: `source` is made anew with every drawing of the menu
  useEffect(() => {
    if (!isAsked || source.kind !== 'remote') return undefined;
    let isLate = false;
    const tell = (found: Found) => !isLate && setAnswer({ text, found });
    const timer = setTimeout(
      () => {
        source.find(text).then(
          (groups) => tell(foundIn(groups)),
          (error) =>
            tell({
              groups: [],
              status: error instanceof Error ? error.message : String(error),
              isFailed: true,
            }),
        );
      },
      text === '' ? 0 : restMs,
    );
    return () => {
      isLate = true;
      clearTimeout(timer);
    };
  }, [isAsked, text]);

  // What was found last time may be out of date when the menu opens again.
  if (!isOpen && answer) setAnswer(undefined);
  if (!isOpen) return { groups: [] };
  if (source.kind === 'local') return foundIn(source.find(text));
  if (!isAsked) return { groups: [], status: tooShort(source.minChars) };
  return answer?.text === text ? answer.found : loading;
}

function foundIn(groups: readonly ChoiceGroup[]): Found {
  const isEmpty = groups.every(({ choices }) => choices.length === 0);
  return isEmpty ? { groups: [], status: 'No results' } : { groups };
}

function tooShort(minChars: number): string {
  return `Type ${minChars} or more ${minChars === 1 ? 'character' : 'characters'}`;
}
