import type { FileInput } from '@slack/types';
import type { ReactNode } from 'react';
import { controlProps, type Placed } from './placed.ts';

/** A field for files, which the sandbox does not take: it says so. */
export function FileInputView({ element, input }: Placed<FileInput>): ReactNode {
  const accept = element.filetypes?.map((type) => `.${type}`).join(',');
  return (
    <span className="kit-element">
      <input {...controlProps(input, 'File')} type="file" className="kit-field" accept={accept} disabled />
      <small className="kit-note">The sandbox takes no files here.</small>
    </span>
  );
}
