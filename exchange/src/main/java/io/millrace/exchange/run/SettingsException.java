package io.millrace.exchange.run;

/** A setting is wrong. The message begins with the file and the line, or names the option. */
final class SettingsException extends RuntimeException
{
    private static final long serialVersionUID = 1;

    SettingsException(final String message)
    {
        super(message);
    }
}
