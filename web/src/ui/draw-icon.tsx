export interface IconProps {
  size?: number;
}

interface ShapeProps extends IconProps {
  path: string;
  transform?: string | undefined;
  'data-icon'?: string;
}

// An icon always has its word beside it, so it is hidden from screen readers.
export function IconShape({ path, transform, size = 24, ...rest }: ShapeProps) {
  return (
    <svg
      aria-hidden="true"
      {...rest}
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={path} transform={transform} />
    </svg>
  );
}

export function icon(path: string) {
  return function Icon({ size }: IconProps) {
    return <IconShape path={path} {...(size ? { size } : {})} />;
  };
}
