import type { Clock } from '../../clock.ts';
import type { IdGenerator } from '../../id-generator.ts';
import { detectFileType, type FileType } from './file-types.ts';

/**
 * How long Slack processes an uploaded file before its type is known. This is an assumption,
 * because Slack documents no time.
 */
const processingMs = 1000;

/** The app's description of a file that another service keeps. */
export interface RemoteFile {
  readonly id: string;
  readonly url: string;
  readonly filetype: string | undefined;
}

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
  /** The secret part of the URL at which everybody can see the file, if it has one. */
  publicSecret: string | undefined;
  /** Set if the file is kept by another service. */
  remote: RemoteFile | undefined;
  /** Messages that show the file, by channel and `ts`. */
  shares: readonly { readonly channel: string; readonly ts: string }[];
}

export interface FileStore {
  /** Announces an upload. The ticket is the secret part of the URL to which the file is uploaded. */
  createUpload(
    name: string,
    sizeBytes: number,
    altText: string | undefined,
  ): { file: StoredFile; ticket: string };
  /** Adds a file that another service keeps. */
  addRemote(remote: RemoteFile, title: string): StoredFile;
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
        publicSecret: undefined,
        remote: undefined,
        shares: [],
      };
      const ticket = ids.secret();
      files.set(file.id, file);
      tickets.set(ticket, file);
      return { file, ticket };
    },
    addRemote(remote, title) {
      const file: StoredFile = {
        id: ids.id('F'),
        name: title,
        title,
        sizeBytes: 0,
        altText: undefined,
        createdMs: clock.now(),
        bytes: undefined,
        completedMs: clock.now(),
        type: undefined,
        isDeleted: false,
        publicSecret: undefined,
        remote,
        shares: [],
      };
      files.set(file.id, file);
      return file;
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
