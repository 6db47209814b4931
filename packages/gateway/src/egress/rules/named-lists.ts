/**
 * Entries of each named list. `registries`: public registries of packages of npm, Python, Rust, Go, Ruby, Java, .NET,
 * PHP, Debian, Ubuntu and Alpine. `git-hosts`: public services that host git repositories, over HTTPS.
 */
export const NAMED_LISTS: Readonly<Record<"registries" | "git-hosts", readonly string[]>> = {
  registries: [
    "registry.npmjs.org",
    "registry.yarnpkg.com",
    "pypi.org",
    "files.pythonhosted.org",
    "crates.io",
    "index.crates.io",
    "static.crates.io",
    "proxy.golang.org",
    "sum.golang.org",
    "rubygems.org",
    "index.rubygems.org",
    "repo.maven.apache.org",
    "repo1.maven.org",
    "plugins.gradle.org",
    "api.nuget.org",
    "packagist.org",
    "repo.packagist.org",
    ...["deb.debian.org", "security.debian.org", "archive.ubuntu.com", "security.ubuntu.com"].flatMap((host) => [
      host,
      `${host}:80`,
    ]),
    "dl-cdn.alpinelinux.org",
  ],
  "git-hosts": [
    "github.com",
    "codeload.github.com",
    "objects.githubusercontent.com",
    "release-assets.githubusercontent.com",
    "raw.githubusercontent.com",
    "gitlab.com",
    "bitbucket.org",
    "codeberg.org",
  ],
};
