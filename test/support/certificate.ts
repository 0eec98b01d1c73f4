/** A self-signed certificate, made with openssl. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createHome } from "./run-ents.ts";

export const hasOpenssl = existsSync("/usr/bin/openssl");

/** `path`: the certificate's file. */
export function createCertificate(name: string) {
  const home = createHome();
  const [key, path] = [home.path("key.pem"), home.path("cert.pem")];
  const subject = ["-subj", `/CN=${name}`, "-addext", `subjectAltName=DNS:${name}`];
  const args = [
    "req",
    "-x509",
    "-newkey",
    "ec",
    "-pkeyopt",
    "ec_paramgen_curve:prime256v1",
    "-nodes",
    "-days",
    "2",
    ...subject,
  ];
  execFileSync("openssl", [...args, "-keyout", key, "-out", path], { stdio: "ignore" });
  return { key: readFileSync(key), cert: readFileSync(path), path };
}
