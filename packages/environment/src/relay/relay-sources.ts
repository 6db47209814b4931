/**
 * Programs that listen on a loopback port and pass each connection to a Unix socket, one per interpreter. Arguments: port
 * and path of the socket. Each prints `ok` and closes its standard output when it listens, and runs until it is killed.
 * Interpreters that start fast come first.
 */
export const RELAY_SOURCES: Readonly<
  Record<"perl" | "python3" | "node", { readonly flag: string; readonly source: string }>
> = {
  perl: {
    flag: "-e",
    source: `use strict; use Socket; use Fcntl; my ($port, $path) = @ARGV; my (%fh, %peer, %out, %eof, %shut);
$SIG{$_} = 'IGNORE' for qw(PIPE INT TERM HUP); socket(my $server, PF_INET, SOCK_STREAM, 0) or die;
setsockopt($server, SOL_SOCKET, SO_REUSEADDR, 1); bind($server, sockaddr_in($port, INADDR_LOOPBACK)) or die;
listen($server, 128) or die; syswrite(STDOUT, 'ok'); close(STDOUT); my $listening = fileno($server);
sub drop { my ($n) = @_; for my $k ($n, $peer{$n}) { close($fh{$k}); } my $p = $peer{$n};
  delete @{$_}{$n, $p} for (\\%fh, \\%peer, \\%out, \\%eof, \\%shut); }
while (1) { my ($r, $w) = ('', ''); vec($r, $listening, 1) = 1;
  for my $n (keys %fh) { vec($r, $n, 1) = 1 if !$eof{$n} && length($out{$peer{$n}}) < 65536; vec($w, $n, 1) = 1 if length($out{$n}); }
  next if select($r, $w, undef, undef) < 0;
  for my $n (keys %fh) { next unless exists $fh{$n}; my $p = $peer{$n};
    if (vec($w, $n, 1)) { my $c = syswrite($fh{$n}, $out{$n}); if (defined $c) { substr($out{$n}, 0, $c) = ''; } elsif (!$!{EAGAIN}) { drop($n); next; } }
    if (vec($r, $n, 1)) { my $c = sysread($fh{$n}, $out{$p}, 65536, length($out{$p})); if (!defined $c) { if (!$!{EAGAIN}) { drop($n); next; } } elsif ($c == 0) { $eof{$n} = 1; } }
    for my $k ($n, $p) { if ($eof{$k} && !length($out{$peer{$k}}) && !$shut{$k}) { $shut{$k} = 1; shutdown($fh{$peer{$k}}, 1); } }
    drop($n) if $shut{$n} && $shut{$p}; }
  if (vec($r, $listening, 1)) { if (accept(my $c, $server)) { socket(my $u, PF_UNIX, SOCK_STREAM, 0);
    if (connect($u, sockaddr_un($path))) { for my $s ($c, $u) { fcntl($s, F_SETFL, O_NONBLOCK); $fh{fileno($s)} = $s; $out{fileno($s)} = ''; }
      $peer{fileno($c)} = fileno($u); $peer{fileno($u)} = fileno($c); } } } }`,
  },
  python3: {
    flag: "-c",
    source: `import os, signal, socket, sys, threading
for name in ("SIGINT", "SIGTERM", "SIGHUP"): signal.signal(getattr(signal, name), signal.SIG_IGN)
def copy(source, target):
    try:
        while True:
            data = source.recv(65536)
            if not data: break
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)
    except OSError:
        for end in (source, target):
            try: end.shutdown(socket.SHUT_RDWR)
            except OSError: pass
def serve(client):
    upstream = socket.socket(socket.AF_UNIX)
    with client, upstream:
        try: upstream.connect(sys.argv[2])
        except OSError: return
        back = threading.Thread(target=copy, args=(upstream, client), daemon=True)
        back.start(); copy(client, upstream); back.join()
server = socket.socket(); server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
server.bind(("127.0.0.1", int(sys.argv[1]))); server.listen(128); os.write(1, b"ok"); os.close(1)
while True: threading.Thread(target=serve, args=(server.accept()[0],), daemon=True).start()`,
  },
  node: {
    flag: "-e",
    source: `const net = require("node:net"), fs = require("node:fs"); const [, port, path] = process.argv;
for (const name of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(name, () => {});
net.createServer({ allowHalfOpen: true }, (client) => { const upstream = net.connect({ path, allowHalfOpen: true });
  client.on("error", () => upstream.destroy()).pipe(upstream).on("error", () => client.destroy()).pipe(client);
}).listen(Number(port), "127.0.0.1", () => { process.stdout; fs.writeSync(1, "ok"); fs.closeSync(1); fs.openSync("/dev/null", "w"); });`,
  },
};

/** Interpreter that can run the relay. */
export type RelayInterpreter = keyof typeof RELAY_SOURCES;

/** Interpreters in the order in which they are tried. */
export const RELAY_INTERPRETERS: readonly RelayInterpreter[] = ["perl", "python3", "node"];
