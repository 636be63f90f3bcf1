export interface IconProps {
  size?: number;
}

// An icon always has its word beside it, so it is hidden from screen readers.
export function icon(path: string) {
  return function Icon({ size = 24 }: IconProps) {
    return (
      <svg
        aria-hidden="true"
        width={size}
        height={size}
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.75"
        strokeLinecap="round"
        strokeLinejoin="round"
      >
        <path d={path} />
      </svg>
    );
  };
}
