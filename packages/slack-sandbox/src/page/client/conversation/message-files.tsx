import { type ReactNode, useState } from 'react';
import { Dialog } from '../components/dialog.tsx';
import { Icon } from '../components/icon.tsx';
import type { FileData } from '../state/control-api.ts';

/** Shows a message's files: images inline, others as links. */
export function MessageFiles({ files }: { readonly files: readonly FileData[] }): ReactNode {
  return (
    <div className="files">
      {files.map((file) =>
        file.mimetype.startsWith('image/') ? (
          <ImagePreview key={file.id} file={file} />
        ) : (
          <a key={file.id} className="file-card" href={file.url_private} target="_blank" rel="noreferrer">
            <Icon name="file" />
            <strong>{file.title || file.name}</strong>
            <small>
              {file.pretty_type || 'File'} · {formatSize(file.size)}
            </small>
          </a>
        ),
      )}
    </div>
  );
}

function ImagePreview({ file }: { readonly file: FileData }): ReactNode {
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

function formatSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  return bytes < 1024 ** 2 ? `${Math.round(bytes / 1024)} kB` : `${(bytes / 1024 ** 2).toFixed(1)} MB`;
}
