import type { Clock } from '../../clock.ts';
import type { IdGenerator } from '../../id-generator.ts';
import { detectFileType, type FileType } from './file-types.ts';

/**
 * How long Slack processes an uploaded file before its type is known. This is an assumption,
 * because Slack documents no time.
 */
const processingMs = 1000;

/** A file. It exists as soon as its upload is announced. */
export interface StoredFile {
  readonly id: string;
  readonly name: string;
  readonly sizeBytes: number;
  readonly altText: string | undefined;
  readonly createdMs: number;
  title: string;
  bytes: Uint8Array | undefined;
  /** Set when `files.completeUploadExternal` is called. */
  completedMs: number | undefined;
  /** Set shortly after the completion, when Slack has processed the file. */
  type: FileType | undefined;
  isDeleted: boolean;
  /** Messages that show the file, by channel and `ts`. */
  readonly shares: { readonly channel: string; readonly ts: string }[];
}

export interface FileStore {
  /** Announces an upload. The ticket is the secret part of the URL to which the file is uploaded. */
  createUpload(
    name: string,
    sizeBytes: number,
    altText: string | undefined,
  ): { file: StoredFile; ticket: string };
  findByTicket(ticket: string): StoredFile | undefined;
  findById(id: string): StoredFile | undefined;
  /** Returns all files, newest first. */
  list(): StoredFile[];
  /** Completes an upload. Calls `then` once Slack has processed the file. */
  complete(file: StoredFile, title: string | undefined, then: () => void): void;
}

export function createFileStore(ids: IdGenerator, clock: Clock): FileStore {
  const files = new Map<string, StoredFile>();
  const tickets = new Map<string, StoredFile>();
  return {
    createUpload(name, sizeBytes, altText) {
      const file: StoredFile = {
        id: ids.id('F'),
        name,
        title: name,
        sizeBytes,
        altText,
        createdMs: clock.now(),
        bytes: undefined,
        completedMs: undefined,
        type: undefined,
        isDeleted: false,
        shares: [],
      };
      const ticket = ids.secret();
      files.set(file.id, file);
      tickets.set(ticket, file);
      return { file, ticket };
    },
    findByTicket: (ticket) => tickets.get(ticket),
    findById: (id) => files.get(id),
    list: () => [...files.values()].reverse(),
    complete(file, title, then) {
      file.title = title ?? file.title;
      file.completedMs = clock.now();
      clock.schedule(processingMs, () => {
        file.type = detectFileType(file.name, file.bytes ?? new Uint8Array());
        then();
      });
    },
  };
}
