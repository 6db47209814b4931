import fc from "fast-check";
import { expect, test } from "vitest";
import { isPublicAddress } from "../index.ts";

test.each([
  "127.0.0.1",
  "127.8.8.8",
  "0.0.0.0",
  "0.1.2.3",
  "10.1.2.3",
  "172.16.0.1",
  "172.31.255.255",
  "192.168.1.1",
  "169.254.169.254",
  "168.63.129.16",
  "100.64.0.1",
  "100.100.100.200",
  "192.0.0.192",
  "192.0.2.1",
  "198.18.0.1",
  "224.0.0.1",
  "240.0.0.1",
  "255.255.255.255",
  "::",
  "::1",
  "::127.0.0.1",
  "::7f00:1",
  "::ffff:127.0.0.1",
  "::ffff:a9fe:a9fe",
  "::ffff:0:127.0.0.1",
  "64:ff9b::127.0.0.1",
  "64:ff9b::a9fe:a9fe",
  "64:ff9b:1::8.8.8.8",
  "2002:7f00:1::",
  "2001::1",
  "2001:db8::1",
  "fe80::1",
  "fe80::1%eth0",
  "fec0::1",
  "fc00::1",
  "fd00:ec2::254",
  "ff02::1",
  "100::1",
  "5f00::1",
  "2130706433",
  "0x7f.1",
  "localhost",
  "",
])("%s is not public", (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each(["8.8.8.8", "1.1.1.1", "93.184.216.34", "2606:4700:4700::1111", "::ffff:8.8.8.8", "64:ff9b::8.8.8.8"])(
  "%s is public",
  (address) => {
    expect(isPublicAddress(address)).toBe(true);
  },
);

test("an IPv4 address is judged the same in every form that an IPv6 one can carry it in", () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      const [a = 0, b = 0, c = 0, d = 0] = address.split(".").map(Number);
      const hex = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
      const isPublic = isPublicAddress(address);
      for (const form of [`::ffff:${address}`, `::ffff:${hex}`, `64:ff9b::${hex}`]) {
        expect(isPublicAddress(form)).toBe(isPublic);
      }
      for (const form of [`::${hex}`, `2002:${hex}::`]) expect(isPublicAddress(form)).toBe(false);
    }),
  );
});
