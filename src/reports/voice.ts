import type { Chart, Outcome } from '../operations/outcome.ts';
import type { Asker } from '../operations/runs/run.ts';
import type { Csv } from './summary/csv.ts';
import type { Detail } from './summary/fleet-summary.ts';

/** A place in a workspace. */
export interface ReportPlace {
  readonly teamId: string;
  readonly channel: string;
}

/**
 * What came of speaking in a channel: it stands there, the channel takes nothing of the app any more, or not before so many ms have passed, or Slack
 * does not take these words, for which it has a word of its own.
 */
export type Spoken =
  | { readonly ts: string }
  | 'gone'
  | { readonly againInMs: number }
  | { readonly refusedAs: string };

/** What a post is known by again: an id and a time, and nothing of what it says. */
export interface PostMark {
  readonly reportId: string;
  readonly dueMs: number;
}

/** A post in its channel. */
export interface Posted {
  readonly ts: string;
  readonly mark: PostMark;
  /** Whether some of its thread may stand there already. */
  readonly mayBeFollowed: boolean;
}

/** What came of looking for a post: it stands in the channel, it does not, or the app may not read there. */
export type Sought = { readonly ts: string } | 'none' | 'unreadable';

/** What a report says, its picture uploaded already. */
export interface ReportWords {
  readonly mark: PostMark;
  readonly outcome: Outcome;
  readonly pictureId?: string | undefined;
}

/** Speaks for reports, without being asked. */
export interface ReportVoice {
  /** Brings a picture to Slack, shared with nobody yet; gives nothing where that fails. */
  upload(teamId: string, chart: Chart): Promise<string | undefined>;
  /** Posts to a channel. Rejects where it is not known whether that came through. */
  post(place: ReportPlace, words: ReportWords): Promise<Spoken>;
  /** Looks for a post that was about to leave at a moment. Rejects where Slack cannot be asked now. */
  find(place: ReportPlace, mark: PostMark, postingMs: number): Promise<Sought>;
  /** Says in the thread of a post what stands out, and brings its file, unless that stands there already. */
  follow(place: ReportPlace, post: Posted, details: readonly Detail[], csv: Csv | undefined): Promise<void>;
  /** Says something plain in a channel, also to find out whether the app can speak there. */
  say(place: ReportPlace, text: string): Promise<Spoken>;
  /** Tells a person by a direct message. */
  tellPerson(person: Asker, outcome: Outcome): Promise<void>;
  /** Gives a file to a person, in their direct messages with the app. */
  giveFile(person: Asker, csv: Csv): Promise<void>;
}
