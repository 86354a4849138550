import type { FileData } from './control-api.ts';
import type { ControlClient } from './control-client.ts';

/** Uploads a file in a person's name. It isn't shared yet. */
export async function uploadFile(control: ControlClient, user: string, file: File): Promise<FileData> {
  const { file: uploaded } = await control.post<{ file: FileData }>('upload', {
    user,
    name: file.name,
    content: await encodeBase64(file),
    encoding: 'base64',
  });
  return uploaded;
}

function encodeBase64(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('error', () => reject(reader.error));
    // A data URL has the encoded bytes after its only comma.
    reader.addEventListener('load', () => resolve(String(reader.result).split(',')[1] ?? ''));
    reader.readAsDataURL(file);
  });
}
