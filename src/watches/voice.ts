import type { Outcome } from '../operations/outcome.ts';
import type { Asker } from '../operations/runs/run.ts';
import type { ReportPlace, Sought, Spoken } from '../reports/voice.ts';

/** What the message of a watch is known by again: ids and a time, and nothing of what it says. */
export interface IncidentMark {
  readonly watchId: string;
  readonly beganMs: number;
}

/** What came of editing a message: besides what comes of posting one, it is not there any more. */
export type Edited = Spoken | 'missing';

/** Speaks for watches, without being asked, and calls nobody. */
export interface WatchVoice {
  /** Posts the message of a watch. Rejects where it is not known whether that came through. */
  post(place: ReportPlace, mark: IncidentMark, outcome: Outcome): Promise<Spoken>;
  /** Looks for a message that was about to leave at a moment. Rejects where Slack cannot be asked now. */
  find(place: ReportPlace, mark: IncidentMark, postingMs: number): Promise<Sought>;
  edit(place: ReportPlace, ts: string, outcome: Outcome): Promise<Edited>;
  /** Says in the thread of a message what has come since. */
  reply(place: ReportPlace, ts: string, outcome: Outcome): Promise<Spoken>;
  /** Says something plain in a channel, also to find out whether the app can speak there. */
  say(place: ReportPlace, text: string): Promise<Spoken>;
  /** Tells a person by a direct message. */
  tellPerson(person: Asker, outcome: Outcome): Promise<void>;
}
