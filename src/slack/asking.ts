import type { Asker, Origin } from '../operations/runs/run.ts';
import type { Reply } from './reply.ts';

/** One thing asked by a person: a command, a mention, a form, a button. */
export interface Asking {
  readonly asker: Asker;
  readonly origin: Origin;
  /** Unique to what was asked, so that a redelivery is a duplicate. */
  readonly requestKey: string;
  /** Opens a form, within 3 s; a mention has none. */
  readonly triggerId?: string;
  /** Asked by a button: whatever is missing or wrong is asked for in a form. */
  readonly isClick: boolean;
  /** Asked in a view, or in the App Home, and answered in a view: the one that it was asked in, where there is one. */
  readonly view?: { readonly id?: string };
  readonly reply: Reply;
}

/** Puts together where something was asked, of what is known of it. */
export function originAt({
  channel,
  threadTs,
  responseUrl,
}: { readonly [Part in keyof Origin]: Origin[Part] | undefined }): Origin {
  return { ...(channel && { channel }), ...(threadTs && { threadTs }), ...(responseUrl && { responseUrl }) };
}
