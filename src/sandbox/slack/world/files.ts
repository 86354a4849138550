import type { Clock } from '../clock.ts';
import type { Mint } from '../mint.ts';
import { type FileKind, kindOfFile } from './file-kinds.ts';

/** How long Slack takes to look at an uploaded file before it tells its kind; assumed, Slack names no time. */
const processingMs = 1000;

/** A file from the moment its upload was announced. */
export interface StoredFile {
  readonly id: string;
  readonly name: string;
  readonly sizeBytes: number;
  readonly altText: string | undefined;
  readonly createdMs: number;
  title: string;
  bytes: Uint8Array | undefined;
  /** Set by `files.completeUploadExternal`. */
  completedMs: number | undefined;
  /** Known a moment after completion. */
  kind: FileKind | undefined;
  deleted: boolean;
  /** Messages that show it: channel and `ts`. */
  readonly shares: { readonly channel: string; readonly ts: string }[];
}

export interface FileStore {
  /** Announces an upload; the ticket is the secret part of its URL. */
  announce(
    name: string,
    sizeBytes: number,
    altText: string | undefined,
  ): { file: StoredFile; ticket: string };
  byTicket(ticket: string): StoredFile | undefined;
  byId(id: string): StoredFile | undefined;
  /** Completes an upload; `then` runs once Slack would have looked at the file. */
  complete(file: StoredFile, title: string | undefined, then: () => void): void;
}

export function createFileStore(mint: Mint, clock: Clock): FileStore {
  const files = new Map<string, StoredFile>();
  const tickets = new Map<string, StoredFile>();
  return {
    announce(name, sizeBytes, altText) {
      const file: StoredFile = {
        id: mint.id('F'),
        name,
        title: name,
        sizeBytes,
        altText,
        createdMs: clock.now(),
        bytes: undefined,
        completedMs: undefined,
        kind: undefined,
        deleted: false,
        shares: [],
      };
      const ticket = mint.secret();
      files.set(file.id, file);
      tickets.set(ticket, file);
      return { file, ticket };
    },
    byTicket: (ticket) => tickets.get(ticket),
    byId: (id) => files.get(id),
    complete(file, title, then) {
      file.title = title ?? file.title;
      file.completedMs = clock.now();
      clock.after(processingMs, () => {
        file.kind = kindOfFile(file.name, file.bytes ?? new Uint8Array());
        then();
      });
    },
  };
}
