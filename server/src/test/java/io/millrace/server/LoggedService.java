package io.millrace.server;

import java.util.List;

/** Records its start and close with the thread. */
class LoggedService implements Service
{
    private final String name;
    private final List<String> log;

    LoggedService(final String name, final List<String> log)
    {
        this.name = name;
        this.log = log;
    }

    @Override
    public String name()
    {
        return name;
    }

    @Override
    public void onStart(final ServiceContext context)
    {
        log.add(name + " start " + Thread.currentThread().getName());
    }

    @Override
    public void close()
    {
        log.add(name + " close " + Thread.currentThread().getName());
    }
}
