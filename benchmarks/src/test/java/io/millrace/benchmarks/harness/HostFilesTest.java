package io.millrace.benchmarks.harness;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class HostFilesTest
{
    @TempDir
    Path root;

    @Test
    void shouldReadStealOfTheMeasuredCpusOnly() throws IOException
    {
        stat("cpu0 100 0 100 700 0 0 0 100 50 0", "cpu1 0 0 0 1000 0 0 0 0 0 0");
        final HostFiles host = new HostFiles(root);
        final HostFiles.Ticks zero = host.ticks(List.of(0));
        final HostFiles.Ticks one = host.ticks(List.of(1));
        final HostFiles.Ticks all = host.ticks(List.of());
        assertEquals(new HostFiles.Ticks(1_000, 100), zero);

        stat("cpu0 190 0 100 700 0 0 0 110 50 0", "cpu1 0 0 0 1100 0 0 0 0 0 0");
        assertEquals(0.10, host.ticks(List.of(0)).stealSince(zero), 1e-9);
        assertEquals(0.0, host.ticks(List.of(1)).stealSince(one), 1e-9);
        assertEquals(0.05, host.ticks(List.of()).stealSince(all), 1e-9);
        assertEquals(2, host.onlineCpus());
    }

    private void stat(final String... cpus) throws IOException
    {
        long total = 0;
        long steal = 0;
        for (final String cpu : cpus)
        {
            final String[] words = cpu.split(" ");
            steal += Long.parseLong(words[8]);
            for (int i = 1; i <= 8; i++)
            {
                total += Long.parseLong(words[i]);
            }
        }
        file("proc/stat", "cpu  " + (total - steal) + " 0 0 0 0 0 0 " + steal + " 0 0\n" + String.join("\n", cpus) +
            "\nintr 1 2 3\n");
    }

    @Test
    void shouldReadWhatTheSystemSays() throws IOException
    {
        file("proc/loadavg", "0.36 0.40 0.22 3/85 6878\n");
        file("proc/cpuinfo", "processor\t: 0\nmodel name\t: Fast CPU: the second\n");
        file("sys/devices/system/cpu/isolated", "2-3\n");
        file("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n");
        final HostFiles host = new HostFiles(root);
        assertEquals(3, host.runnable());
        assertEquals("0.36 0.40 0.22", host.loadAverage());
        assertEquals("Fast CPU: the second", host.cpuModel());
        assertEquals("2-3", host.isolatedCpus());
        assertEquals("performance", host.governor());
    }

    @Test
    void shouldNotFailWhereNothingIsKnown()
    {
        final HostFiles host = new HostFiles(root);
        assertTrue(Double.isNaN(host.ticks(List.of()).stealSince(host.ticks(List.of()))));
        assertEquals(0, host.runnable());
        assertEquals("not known", host.loadAverage());
        assertEquals("not known", host.cpuModel());
        assertEquals("none", host.isolatedCpus());
        assertEquals("not known", host.governor());
        assertTrue(host.onlineCpus() > 0);
    }

    @Test
    void shouldSayWhetherAThreadIsPinned()
    {
        assertEquals("pinned to 1", Pinning.describe(1, "1"));
        assertEquals("NOT pinned (asked for 1, runs on 0-1)", Pinning.describe(1, "0-1"));
        assertEquals("NOT pinned (not asked for, runs on 0-1)", Pinning.describe(Pinning.NONE, "0-1"));
        assertEquals("NOT pinned (asked for 1, runs on unknown CPUs)", Pinning.describe(1, ""));
    }

    @Test
    void shouldReadTheGitIdInEveryFormThatGitKeepsIt() throws IOException
    {
        file("plain/.git/HEAD", "ref: refs/heads/main\n");
        file("plain/.git/refs/heads/main", "abc1\n");
        file("packed/.git/HEAD", "ref: refs/heads/main\n");
        file("packed/.git/packed-refs", "# pack-refs\nabc0 refs/heads/other\nabc2 refs/heads/main\n");
        file("detached/.git/HEAD", "abc3\n");
        file("linked/.git", "gitdir: " + root.resolve("plain/.git/worktrees/linked") + "\n");
        file("plain/.git/worktrees/linked/HEAD", "ref: refs/heads/side\n");
        file("plain/.git/worktrees/linked/commondir", "../..\n");
        file("plain/.git/refs/heads/side", "abc4\n");
        Files.createDirectories(root.resolve("plain/below"));
        assertEquals("abc1", GitId.of(root.resolve("plain/below")));
        assertEquals("abc2", GitId.of(root.resolve("packed")));
        assertEquals("abc3", GitId.of(root.resolve("detached")));
        assertEquals("abc4", GitId.of(root.resolve("linked")));
        assertEquals("not known", GitId.of(root.resolve("nowhere")));
    }

    private void file(final String name, final String text) throws IOException
    {
        Files.createDirectories(root.resolve(name).getParent());
        Files.writeString(root.resolve(name), text);
    }
}
