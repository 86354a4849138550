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
  /** The person or bot user who uploaded it. */
  readonly user: string;
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
  createUpload(facts: Pick<StoredFile, 'name' | 'user' | 'sizeBytes' | 'altText'>): {
    file: StoredFile;
    ticket: string;
  };
  /** Adds a file that a person has uploaded. Slack's client shows it only once its type is known. */
  addUploaded(facts: Pick<StoredFile, 'name' | 'user' | 'altText'>, bytes: Uint8Array): StoredFile;
  /** Adds a file that another service keeps. */
  addRemote(remote: RemoteFile, title: string, user: string): StoredFile;
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

  function add(facts: Pick<StoredFile, 'name' | 'user'> & Partial<StoredFile>): StoredFile {
    const file: StoredFile = {
      id: ids.id('F'),
      title: facts.name,
      sizeBytes: 0,
      altText: undefined,
      createdMs: clock.now(),
      bytes: undefined,
      completedMs: undefined,
      type: undefined,
      isDeleted: false,
      publicSecret: undefined,
      remote: undefined,
      shares: [],
      ...facts,
    };
    files.set(file.id, file);
    return file;
  }

  return {
    createUpload(facts) {
      const file = add(facts);
      const ticket = ids.secret();
      tickets.set(ticket, file);
      return { file, ticket };
    },
    addUploaded: (facts, bytes) =>
      add({
        ...facts,
        bytes,
        sizeBytes: bytes.length,
        completedMs: clock.now(),
        type: detectFileType(facts.name, bytes),
      }),
    addRemote: (remote, name, user) => add({ remote, name, user, completedMs: clock.now() }),
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
