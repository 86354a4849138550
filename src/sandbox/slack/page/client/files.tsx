import { type ReactNode, useState } from 'react';
import { Dialog } from './dialog.tsx';
import { Icon } from './icon.tsx';
import type { FileFacts } from './wire.ts';

/** Shows a message's files: pictures as such, anything else as a link. */
export function Files({ files }: { readonly files: readonly FileFacts[] }): ReactNode {
  return (
    <div className="files">
      {files.map((file) =>
        file.mimetype.startsWith('image/') ? (
          <Picture key={file.id} file={file} />
        ) : (
          <a key={file.id} className="file-card" href={file.url_private} target="_blank" rel="noreferrer">
            <Icon name="file" />
            <strong>{file.title || file.name}</strong>
            <small>
              {file.pretty_type || 'File'} · {sizeOf(file.size)}
            </small>
          </a>
        ),
      )}
    </div>
  );
}

function Picture({ file }: { readonly file: FileFacts }): ReactNode {
  const [isLarge, setLarge] = useState(false);
  const title = file.title || file.name;
  const alt = file.alt_txt || title;
  return (
    <figure className="picture">
      <figcaption>{title}</figcaption>
      <button type="button" aria-label={`Enlarge ${title}`} onClick={() => setLarge(true)}>
        <img src={file.url_private} alt={alt} />
      </button>
      {isLarge && (
        <Dialog title={title} className="lightbox" onClose={() => setLarge(false)}>
          <img src={file.url_private} alt={alt} />
          <p>
            <a href={file.url_private} target="_blank" rel="noreferrer">
              Open in a new tab
            </a>
          </p>
        </Dialog>
      )}
    </figure>
  );
}

function sizeOf(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  return bytes < 1024 ** 2 ? `${Math.round(bytes / 1024)} kB` : `${(bytes / 1024 ** 2).toFixed(1)} MB`;
}
