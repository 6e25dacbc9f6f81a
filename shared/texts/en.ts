/**
 * The texts of the interface, in English as specified. Placeholders stand in braces; the forms of a count stand behind their
 * plural categories (CLDR). Each text is an export of its own, so that a bundle has it where it is used, and is translated
 * where it is shown, by its English: one English text has one translation.
 */

// Dates.
export const monthNames =
  'January February March April May June July August September October November December';
export const shortMonthNames = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec';
export const dayNames = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday';
export const shortDate = '{shortMonth} {day}, {year}';
export const longDate = '{weekday}, {month} {day}, {year}';
export const monthAndYear = '{month} {year}';

// Around every page.
export const skipLink = 'Skip to the main text';
export const homePageOf = '{name}, home page';
export const mainMenu = 'Main';
export const menu = 'Menu';
export const menuFailure = 'Error: Error fetching data';
export const events = 'Events';
export const contactUs = 'Contact Us';
export const subscribe = 'Subscribe';
export const search = 'Search';
export const searchTheSite = 'Search the site';
export const searchName = 'Search {name}';
export const go = 'Go';
export const close = 'Close';
export const about = 'About';
export const aboutUs = 'About Us';
export const sitemap = 'Sitemap';
export const policies = 'Policies';
export const privacyPolicy = 'Privacy Policy';
export const doNotSell = 'Do Not Sell My Information';
export const followUs = 'Follow us';
export const otherPublications = 'Other Publications';
export const loading = 'Loading...';
export const homePage = 'Home';

// Lists and cards.
export const seeMore = 'See More';
export const ofTitle = 'of {title}';
export const more = 'More';
export const previous = 'Previous';
export const next = 'Next';
export const pagination = 'Pagination';
export const pageNumber = 'Page {number}';
export const titleOfPage = '{title}, page {page}';
export const descriptionOfPage = 'Page {page}. {description}';
export const noPosts = 'No Posts Available';
export const sorryNoPosts = 'Sorry, there are no posts available at the moment.';
export const noPostsHere = 'There are no posts here at the moment.';
export const recentArticles = 'Recent articles';
export const minutesToRead = '{minutes} min read';
export const sponsoredBy = 'Sponsored by {sponsor}';
export const posts = 'Posts';
export const latest = 'Latest';
export const popular = 'Popular';
export const advertisement = 'Advertisement';
export const advertisements = 'advertisements';
export const pause = 'Pause {what}';
export const play = 'Play {what}';
export const previousSlide = 'Previous slide';
export const nextSlide = 'Next slide';
export const slideOf = '{number} of {all}: {title}';
export const carousel = 'carousel';
export const slide = 'slide';
export const playVideo = 'Play video: {title}';
export const watchNow = 'Watch Now';

// Articles.
export const byAuthor = 'By {author}';
export const updated = 'Updated';
export const tableOfContents = 'Table of Contents';
export const contents = 'Contents';
export const relatedContent = 'Related Content';
export const readNext = 'Read next';
export const allOf = 'All of {section}';
export const moreFrom = 'More from {product}';
export const aboutTheAuthor = 'About the author';
export const share = 'Share';
export const shareOn = 'Share on {network}';
export const shareWithDevice = 'Share…';
export const copyLink = 'Copy link';
export const copied = 'Copied';
export const linkCopied = 'Link copied';
export const openEmbed = 'Open the {kind} on {provider}';
export const loadEmbed = 'Load the {kind} from {provider}';
export const openAt = 'Open {what} at {host}';
export const thePage = 'the page';
export const theCaptions = 'the captions';
export const starsOfFive = '{stars} of 5 stars';
export const taskDone = 'done';
export const taskOpen = 'to do';
export const table = 'Table';
export const kindOfVideo = 'video';
export const kindOfEpisode = 'episode';
export const kindOfPost = 'post';
export const kindOfChart = 'chart';
export const kindOfSlides = 'slides';
export const kindOfMap = 'map';
export const kindOfCode = 'code';

// Topics, tags and authors.
export const rssFeed = 'RSS feed';
export const filter = 'Filter :';
export const subcategories = 'Sub-categories';
export const topicDescription = '{heading}: news, interviews and analysis from {name}.';
export const tagDescription = '{heading}: everything {name} has published on it, from news to interviews.';
export const category = 'Category';
export const sectionsOfPage = 'Sections of this page';
export const noSection = 'Nohing is there!!!...';
export const authorDescription = 'What {author} has written for {name}.';

// Search.
export const searchResult = 'Search Result';
export const noResult = 'No Result For Your Search';
export const titleWithTerm = '{title} : {term}';
export const searchDescription = 'What {name} has published{where} on “{term}”.';
export const resultCount = 'one:{count} piece|other:{count} pieces';
export const nothingFound = 'Nothing was found for “{term}”';
export const inCategory = ' in {category}';
export const searchEverySection = 'Search every section';
export const all = 'All';
export const categories = 'Categories';
export const searchHints = 'Check the spelling, try fewer or other words, or look through a topic.';
export const noResultsOnPage = 'There are no results on this page. {link}.';
export const toFirstPage = 'Go to the first page';
export const searchFailed = 'The search could not be carried out. Please try again in a moment.';

// Events.
export const event = 'Event';
export const allEvents = 'All Events';
export const upcomingEvents = 'Upcoming Events';
export const pastEvents = 'Past Events';
export const allEventsDescription =
  'Conferences, briefings and workshops to come and past, chosen by {name}.';
export const upcomingEventsDescription =
  'Conferences, briefings and workshops that are still to come, chosen by {name}.';
export const pastEventsDescription =
  'Conferences, briefings and workshops that have taken place, chosen by {name}.';
export const whichEvents = 'Which events';
export const noEvents = 'No events have been posted yet.';
export const eventUnavailable = 'This event is not available at the moment.';
export const showMore = 'Show More';
export const loadingMore = 'Loading... ';
export const noFurtherEventsOnPage = 'Page {page} has no further events.';
export const noFurtherEvents = 'There are no further events.';
export const nextEventsFailed = 'The next events could not be loaded. Please try again.';
export const addToCalendar = 'Add to calendar';
export const toOrganiser = 'To the organiser’s page';
export const toBeAnnounced = 'To be announced';

// Forms. Messages and durations: specification, sections 4, 5 and 8.
export const firstName = 'First name';
export const lastName = 'Last name';
export const email = 'Email';
export const phone = 'Phone';
export const message = 'Message';
export const submit = 'Submit';
export const submitting = 'Submitting...';
export const requiredFields = 'Every field but the message is required.';
export const optIn =
  'By checking this box, I agree that the product can contact me by email or phone and provide more information about the services. *';
export const consent = 'By clicking on the Submit button, you are agreeing with the {link}';
export const invalidNewsletterEmail = 'Please enter a valid email address.';
export const subscribed = 'Thank you for subscribing ✅';
export const alreadySubscribed = 'This email is already subscribed ❌';
export const sent = 'Thank you for your message. It has been sent.';
export const invalidFirstName = 'Please provide a valid first name.';
export const invalidLastName = 'Please provide a valid last name.';
export const invalidEmail = 'Please provide a valid email.';
export const invalidPhone = 'Please provide a valid phone number.';
export const invalidMessage = 'Please write at most 5,000 characters, none of which is invisible.';
export const missingOptIn = 'Acknowledgment is required !';

// Contact, opt-out, Subscribe, About, sitemap.
export const contactDescription = 'How to reach {name}: editors, sales and offices.';
export const contactDeck =
  'A correction, a story, a question about advertising: a person reads every message.';
export const writeToUs = 'Write to us';
export const mailAndTelephone = 'Mail and telephone';
export const directly = 'Directly';
export const media = 'Media';
export const sales = 'Sales';
export const helpline = 'Helpline';
export const offices = 'Offices';
export const optOutDeck =
  'Tell us who you are, and {name} will not sell or share your personal information. You need no account, and nothing else about your visit changes.';
export const optOutDescription = 'Forbid the sale of your personal information.';
export const otherWays = 'Other ways';
export const byTelephone = 'By telephone, on our CCPA helpline: {phone}';
export const byMail = 'By mail: {address}';
export const whatWeHold = 'What we hold, and why, stands in the {link}.';
export const newsletterHeading = 'The week in {name}';
export const newsletterDescription = 'The weekly letter of {name}.';
export const newsletterAbout =
  'Three stories that matter to whoever signs for the software, the one figure of the week, and an event worth the journey. It takes four minutes, and nothing in it is paid for.';
export const sampleTitle = 'The invoice that nobody had ordered';
export const sampleText =
  'Good morning. A retailer found eleven tools on its card statement that no department would own. Nine had been switched on by a trial. The two that stayed now have an owner and an end date. The figure of the week: 31 days passed, in the median firm, between a contract’s end and somebody noticing.';
export const fromRecentLetter = 'From a recent letter';
export const whatHappensToAddress = 'What happens to your address';
export const addressUse =
  'It is kept for the letter alone. We neither sell nor lend it, nothing in the letter reports that you have opened it, and every letter ends with a link that ends it.';
export const aboutSite = 'About {name}';
export const aboutDeck = '{tagline}, since {year}.';
export const aboutDescription = 'What {name} is for, and who makes it.';
export const corrections = 'Corrections';
export const correctionsText =
  'A mistake is corrected where it was made, and the correction says what was wrong. Write to the editors: one of them answers within two working days.';
export const advertising = 'Advertising';
export const advertisingText =
  'Advertisements are labelled, stand apart from the text and are sold by people who do not write. Nobody pays for coverage, and no advertiser sees an article before its readers do.';
export const ownership = 'Ownership';
export const ownershipText =
  'The publisher lives on advertising and conferences. No vendor holds a share in it.';
export const theTeam = 'The team';
export const privacyDeck =
  'What {name} knows about its readers, why, and for how long. In force since {date}.';
export const privacyDescription = 'What {name} does with your data, and what it does not.';
export const inThisPolicy = 'In this policy';
export const sitemapDescription = 'Every part of {name} on one page.';
export const topics = 'Topics';
export const pages = 'Pages';
export const subcategory = 'Sub-Category';
export const menuItemsFailed = 'Error fetching menu items: {failure}';
export const listFailed = 'the list could not be loaded';
export const contact = 'Contact';
export const available = 'Available 24/7';

// What cannot be shown.
export const errorMessage = 'Error: {message}';
export const notFoundHeading = 'Error 404 - Not Found';
export const notFoundDescription = "The page you are looking for can't be found.";
export const notFoundText =
  "The page you are looking for can't be found. Go back or browse our recent articles.";
export const goBackHome = 'Go Back Home';
export const goToHomePage = 'Go to the home page';
export const pageUnavailable = 'This page is not available now';
export const pageNotLoaded = 'This page could not be loaded';
export const somethingWrong = 'Something went wrong on this page.';
export const partNotLoaded = 'A part of this page could not be loaded.';
export const pageDoesNotExist = 'This page does not exist.';
export const tryAgain = 'Try again';
export const orGoHome = ' or {link}.';
export const goHome = 'go to the home page';
export const unreachable = 'The site could not be reached. Please check the connection.';
export const pageFailed = 'This page could not be loaded.';
export const pageFailedForNow = 'This page could not be loaded. Please try again in a moment.';
export const problem = '{status}: {title}';
export const nothingAtAddress = 'There is nothing at this address.';
export const gone = 'What was at this address is gone.';
export const notTaken = 'This could not be taken just now. Please try again in a moment.';
export const askedTooOften = 'You have asked too often. Please try again in a minute.';
export const overloaded = 'There are more readers than we can serve just now. Please try again in a moment.';
export const nothingSent =
  'Nothing was sent. What you have typed is still there when you go back in your browser.';
