import type { ReactNode } from 'react';
import { useState } from 'react';

interface ImageSource {
  readonly alt_text: string;
  readonly image_url?: string;
  readonly slack_file?: { readonly url?: string; readonly id?: string };
}

/** Where a picture is: on the web, or a file of the sandbox. */
export function pictureUrl({ image_url: url, slack_file: file }: ImageSource): string {
  return url ?? file?.url ?? `/files/${file?.id ?? ''}`;
}

interface PictureProps {
  readonly image: ImageSource;
  readonly className: string;
}

/** A picture; where it cannot be loaded, what it would show. */
export function Picture({ image, className }: PictureProps): ReactNode {
  const [failed, setFailed] = useState<string>();
  const url = pictureUrl(image);
  if (failed === url) {
    return (
      <span className={`${className} kit-picture-missing`} role="img" aria-label={image.alt_text} title={url}>
        {image.alt_text}
      </span>
    );
  }
  return (
    <img
      className={className}
      src={url}
      alt={image.alt_text}
      title={image.alt_text}
      loading="lazy"
      onError={() => setFailed(url)}
    />
  );
}
