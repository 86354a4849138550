import type { FileInput } from '@slack/types';
import type { ReactNode } from 'react';
import { controlProps, type ElementProps } from './element-props.ts';

/** A file input. The sandbox doesn't support it and says so. */
export function FileInputView({ element, input }: ElementProps<FileInput>): ReactNode {
  const accept = element.filetypes?.map((type) => `.${type}`).join(',');
  return (
    <span className="kit-element">
      <input {...controlProps(input, 'File')} type="file" className="kit-field" accept={accept} disabled />
      <small className="kit-note">The sandbox does not support file uploads here.</small>
    </span>
  );
}
