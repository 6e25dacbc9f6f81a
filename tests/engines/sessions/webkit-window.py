#!/usr/bin/python3
"""A window of WebKitGTK for WebKitWebDriver: no toolbar, so that it can be as narrow as a phone, and its console on
standard error. Arguments: a folder for its profile, and `--no-scripts`."""

import os
import sys

import gi

gi.require_version('Gtk', '3.0')
gi.require_version('WebKit2', '4.1')
from gi.repository import Gtk, WebKit2

# WebKitWebDriver discards standard output.
os.dup2(sys.stderr.fileno(), sys.stdout.fileno())

profile = sys.argv[1]
# A context without a profile writes no console messages.
context = WebKit2.WebContext(
    website_data_manager=WebKit2.WebsiteDataManager(base_data_directory=profile, base_cache_directory=profile)
)
view = WebKit2.WebView(
    web_context=context,
    is_controlled_by_automation=True,
    settings=WebKit2.Settings(
        enable_javascript='--no-scripts' not in sys.argv,
        enable_write_console_messages_to_stdout=True,
        hardware_acceleration_policy=WebKit2.HardwareAccelerationPolicy.NEVER,
    ),
)


def start_session(_, session):
    info = WebKit2.ApplicationInfo()
    info.set_name('webkit-window')
    session.set_application_info(info)
    session.connect('create-web-view', lambda _: view)


context.connect('automation-started', start_session)
context.set_automation_allowed(True)

window = Gtk.Window()
window.add(view)
window.connect('destroy', Gtk.main_quit)
window.show_all()
Gtk.main()
