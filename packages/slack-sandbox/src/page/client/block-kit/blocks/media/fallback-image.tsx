import type { ReactNode } from 'react';
import { useState } from 'react';

interface ImageSource {
  readonly alt_text: string;
  readonly image_url?: string;
  readonly slack_file?: { readonly url?: string; readonly id?: string };
}

/** Returns an image's URL. The image is on the web or a file of the sandbox. */
export function imageUrl({ image_url: url, slack_file: file }: ImageSource): string {
  return url ?? file?.url ?? `/files/${file?.id ?? ''}`;
}

interface FallbackImageProps {
  readonly image: ImageSource;
  readonly className: string;
}

/** An image. If it can't be loaded, its alt text is shown. */
export function FallbackImage({ image, className }: FallbackImageProps): ReactNode {
  const [failed, setFailed] = useState<string>();
  const url = imageUrl(image);
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
