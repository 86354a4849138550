import type { Core } from '../core.ts';
import { sendFileEvent } from '../delivery/app-events.ts';
import type { StoredFile } from '../workspace/files/file-store.ts';
import type { Person } from '../workspace/seed.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { InvalidActionError } from './invalid-action-error.ts';

/** Uploads a person's file. It is shared by a message, or by a form that has a field for files. */
export function uploadFile(
  core: Core,
  workspace: Workspace,
  person: Person,
  facts: Pick<StoredFile, 'name' | 'altText'>,
  bytes: Uint8Array,
): StoredFile {
  if (bytes.length === 0) throw new InvalidActionError(`${facts.name} is empty`);
  const file = workspace.files.addUploaded({ ...facts, user: person.id }, bytes);
  sendFileEvent(core, workspace, file, 'file_created');
  return file;
}

/** Returns a file that the person has uploaded. Throws if there is none. */
export function resolveUploadedFile(workspace: Workspace, person: Person, id: string): StoredFile {
  const file = workspace.files.findById(id);
  if (file?.user !== person.id || file.isDeleted)
    throw new InvalidActionError(`${person.id} has uploaded no file ${id}`, 404);
  return file;
}
