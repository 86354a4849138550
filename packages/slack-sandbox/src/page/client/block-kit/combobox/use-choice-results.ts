import { useEffect, useState } from 'react';
import type { ChoiceGroup } from './choices.ts';

/** The source of a menu's choices. */
export type ChoiceSource =
  | { readonly kind: 'local'; find(text: string): readonly ChoiceGroup[] }
  | {
      readonly kind: 'remote';
      /** How many characters must be typed before the app is asked for options. */
      readonly minChars: number;
      find(text: string): Promise<readonly ChoiceGroup[]>;
    };

/** The results that a menu shows for the typed text. */
export interface ChoiceResults {
  readonly groups: readonly ChoiceGroup[];
  /** Text that is shown instead of choices. */
  readonly status?: string;
  readonly isFailed?: boolean;
}

/** How long the text must stay unchanged before the app is asked for options. */
const debounceMs = 200;
const loadingResults: ChoiceResults = { groups: [], status: 'Loading…' };

/** Returns the results for the typed text. Outdated responses are ignored. */
export function useChoiceResults(source: ChoiceSource, text: string, isOpen: boolean): ChoiceResults {
  const [answer, setAnswer] = useState<{ readonly text: string; readonly found: ChoiceResults }>();
  const isAsked = isOpen && source.kind === 'remote' && text.length >= source.minChars;

  // biome-ignore lint/correctness/useExhaustiveDependencies: `source` is a new object on every render
  useEffect(() => {
    if (!isAsked || source.kind !== 'remote') return undefined;
    let isLate = false;
    const tell = (found: ChoiceResults) => !isLate && setAnswer({ text, found });
    const timer = setTimeout(
      () => {
        source.find(text).then(
          (groups) => tell(toResults(groups)),
          (error) =>
            tell({
              groups: [],
              status: error instanceof Error ? error.message : String(error),
              isFailed: true,
            }),
        );
      },
      text === '' ? 0 : debounceMs,
    );
    return () => {
      isLate = true;
      clearTimeout(timer);
    };
  }, [isAsked, text]);

  // Earlier results can be out of date when the menu is opened again.
  if (!isOpen && answer) setAnswer(undefined);
  if (!isOpen) return { groups: [] };
  if (source.kind === 'local') return toResults(source.find(text));
  if (!isAsked) return { groups: [], status: formatMinCharsHint(source.minChars) };
  return answer?.text === text ? answer.found : loadingResults;
}

function toResults(groups: readonly ChoiceGroup[]): ChoiceResults {
  const isEmpty = groups.every(({ choices }) => choices.length === 0);
  return isEmpty ? { groups: [], status: 'No results' } : { groups };
}

function formatMinCharsHint(minChars: number): string {
  return `Type ${minChars} or more ${minChars === 1 ? 'character' : 'characters'}`;
}
